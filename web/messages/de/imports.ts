import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const sites = (count: number) =>
  plural(count, { one: '1 Standort', other: `${number(count)} Standorte` })

/** Imports and feeds, in German. */
export default {
  imports: {
    // Start
    lead: 'Fügen Sie viele Standorte auf einmal hinzu, oder aktualisieren Sie sie. Nichts wird gespeichert, bevor Sie die Vorschau gesehen und bestätigt haben, und ein ganzer Import lässt sich rückgängig machen.',
    formats:
      'OCPI, OICP, IRVE (Frankreich), NOBIL, Open Charge Map, GeoJSON, DATEX II, OpenStreetMap, unsere eigenen Exporte und jede Tabelle in CSV, Excel, OpenDocument oder JSON. Auch komprimiert.',
    from: 'Importieren aus',
    ways: { file: 'Datei', text: 'Eingefügter Text', url: 'Webadresse' },
    drop: 'Datei hierher ziehen',
    choose: 'Datei wählen',
    or: 'oder',
    tooLarge: (max) => `Diese Datei ist größer als ${max}.`,
    text: 'Eingefügter Text',
    textHint: 'Zeilen einer Tabelle oder JSON einfügen.',
    url: 'Webadresse',
    urlHint: 'Einer Datei oder eines OCPI-Feeds, etwa https://example.com/ocpi/versions',
    urlMissing: 'Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt',
    textMissing: 'Fügen Sie zuerst Text ein.',
    token: 'Zugangstoken',
    tokenHint: 'Falls die Adresse einen verlangt. Er wird nicht wieder angezeigt.',
    begin: 'Einlesen',
    sending: (percent) => `Wird gesendet: ${percent}`,
    notSent: 'Das konnte nicht gesendet werden',
    tooManyOpen: (max) =>
      `${number(max)} Importe sind noch offen. Führen Sie unten einen davon aus oder verwerfen Sie ihn, und versuchen Sie es dann erneut.`,
    nothingLost: 'Ihre Auswahl ist noch da. Nichts wurde geändert.',
    needsBusiness: 'Beschreiben Sie zuerst Ihr Unternehmen: Importierte Standorte gehören dazu.',

    // Reading
    reading: 'Wird gelesen …',
    found: (count) => `Bisher ${sites(count)}`,
    canLeave: 'Sie können diese Seite schließen. Der Import läuft weiter, und Sie finden ihn hier.',
    cancelTitle: 'Diesen Import verwerfen?',
    cancelText: 'Die Vorschau wird gelöscht. Ihre Standorte bleiben, wie sie sind.',
    discard: 'Verwerfen',
    notLoaded: 'Dieser Import konnte nicht geladen werden',
    listNotLoaded: 'Ihre Importe konnten nicht geladen werden',
    gone: 'Diesen Import gibt es nicht',
    goneText: (days) => `Er wurde vielleicht verworfen oder ist älter als ${number(days)} Tage.`,
    back: 'Zu allen Importen',
    updatingFailed: 'Im Moment keine Verbindung. Auf dem Server läuft der Import weiter.',

    // Columns
    mappingTitle: 'Was bedeuten die Spalten?',
    mappingText:
      'Was wir erkannt haben, ist schon gewählt. Wählen Sie, was jede Spalte enthält; ausgelassene Spalten werden nicht gelesen.',
    column: (heading) => `Spalte „${heading}“`,
    noHeading: (position) => `Spalte ${number(position)}`,
    leaveOut: '(auslassen)',
    groups: { site: 'Standort', connector: 'Anschluss', other: 'Sonstiges' },
    extras: {
      position: 'Breiten- und Längengrad zusammen',
      quantity: 'Anzahl gleicher Anschlüsse',
      plugs_in_heading: 'Anzahl der Anschlüsse, deren Art in der Überschrift steht',
      tariff: 'Preis aus unserem eigenen Export',
      own_id: 'ID aus unserem eigenen Export',
    },
    twice: (label) => `Eine andere Spalte wird schon als „${label}“ gelesen.`,
    examples: 'Werte',
    previewTitle: 'So wird es gelesen',
    previewNothing: 'Wählen Sie mindestens für eine Spalte, was sie enthält.',
    mapped: (some, all) => `${number(some)} von ${number(all)} Spalten werden gelesen`,
    readNow: 'Tabelle einlesen',
    columnsRead: 'Alle Spalten der Tabelle werden gelesen',
    columnsUnread: (count) =>
      plural(count, {
        one: '1 Spalte der Tabelle wird nicht gelesen',
        other: `${number(count)} Spalten der Tabelle werden nicht gelesen`,
      }),
    chooseColumns: 'Spalten zuordnen',

    // Plan
    planTitle: (source) => `Vorschau: ${source}`,
    planText: 'Noch wurde nichts gespeichert.',
    actions: {
      NEW: 'Neu',
      CHANGED: 'Geändert',
      UNCHANGED: 'Unverändert',
      MISSING: 'Nicht in der Datei',
      REFUSED: 'Nicht importierbar',
    },
    states: {
      PENDING: 'Wartet',
      APPLIED: 'Importiert',
      FAILED: 'Fehlgeschlagen',
      SKIPPED: 'Übersprungen',
      UNDONE: 'Rückgängig gemacht',
      KEPT: 'Beibehalten',
    },
    importStates: {
      READING: 'Wird gelesen',
      MAPPING: 'Wartet auf Sie: Spalten',
      PLANNED: 'Wartet auf Sie: Vorschau',
      RUNNING: 'Wird importiert',
      DONE: 'Importiert',
      UNDOING: 'Wird rückgängig gemacht',
      UNDONE: 'Rückgängig gemacht',
      FAILED: 'Fehlgeschlagen',
    },
    all: 'Alle',
    repaired: 'Korrigiert',
    questions: 'Fragen',
    doubtful: 'Welcher Standort?',
    leftOut: 'Ausgelassen',
    filter: 'Vorschau filtern',
    search: 'Nach Name oder ID suchen',
    noRows: 'Keine Treffer.',
    moreRows: 'Mehr zeigen',
    rowsNotLoaded: 'Die Zeilen konnten nicht geladen werden.',
    nothingToDo: 'Nichts zu tun',
    nothingToDoText: 'Ihre Standorte stimmen schon mit dieser Datei überein.',
    takeAllIn: 'Alle davon aufnehmen',
    leaveAllOut: 'Alle davon auslassen',
    takeIn: (name) => `${name} importieren`,
    changes: (count) => plural(count, { one: '1 Änderung', other: `${number(count)} Änderungen` }),
    repairs: (count) =>
      plural(count, { one: '1 Korrektur', other: `${number(count)} Korrekturen` }),
    openQuestions: (count) => plural(count, { one: '1 Frage', other: `${number(count)} Fragen` }),
    missingTitle: (count) =>
      plural(count, {
        one: '1 Ihrer Standorte ist nicht in dieser Datei',
        other: `${number(count)} Ihrer Standorte sind nicht in dieser Datei`,
      }),
    missingConnectors: (count) =>
      plural(count, {
        one: '1 Anschluss Ihrer Standorte ist nicht in dieser Datei',
        other: `${number(count)} Anschlüsse Ihrer Standorte sind nicht in dieser Datei`,
      }),
    keepMissing: 'Lassen, wie sie sind',
    removeMissing: {
      sites: 'Als endgültig geschlossen markieren',
      connectors: 'Löschen',
      both: 'Die Standorte als endgültig geschlossen markieren und die Anschlüsse löschen',
    },
    waitingAnswers: (count) =>
      plural(count, {
        one: '1 Standort braucht eine Antwort',
        other: `${number(count)} Standorte brauchen eine Antwort`,
      }),
    waitingText:
      'Ohne Antwort wird ein Standort so importiert, wie er in der Datei steht, oder ausgelassen, wenn das nicht geht.',
    showThem: 'Anzeigen',
    refusedTitle: (count) =>
      plural(count, {
        one: '1 Eintrag ist nicht importierbar',
        other: `${number(count)} Einträge sind nicht importierbar`,
      }),
    refusedText:
      'Bei jedem steht der Grund. Berichtigen Sie die Datei und importieren Sie sie noch einmal, wann Sie möchten.',
    allRefused: 'Nichts aus dieser Datei ist importierbar',
    run: (count) => `${sites(count)} importieren`,
    close: (count) => `${sites(count)} schließen`,
    runNone: 'Nichts davon importieren',

    // Row
    line: (line) => `Zeile ${line}`,
    entry: (position) => `Eintrag ${position}`,
    plugs: (count) => plural(count, { one: '1 Anschluss', other: `${number(count)} Anschlüsse` }),
    unnamed: 'Ohne Namen',
    before: 'vorher',
    after: 'nachher',
    nothing: 'leer',
    notImported: 'nicht importiert',
    connector: (position) => `Anschluss ${number(position)}`,
    wholeConnector: 'Anschluss',
    newSite: 'Alles daran ist neu:',
    changesTitle: 'Änderungen',
    repairsTitle: 'Korrigiert',
    questionsTitle: 'Bitte prüfen',
    yes: 'Ja, korrigieren',
    no: 'Nein, es stimmt so',
    sameForAll: 'Dieselbe Antwort für alle Standorte mit dieser Frage',
    answered: 'Diese Fragen sind alle beantwortet.',
    needsAnswer: 'Braucht eine Antwort',
    matched: {
      REFERENCE: 'An der ID erkannt',
      POSITION: 'Am selben Punkt gefunden',
      NEAR: 'Innerhalb von 25\u00A0m gefunden',
      NAME: 'Am Namen erkannt, in der Nähe',
      FEED: 'Wie beim letzten Lesen des Feeds',
      CHOICE: 'Von Ihnen gewählt',
    },
    whichTitle: 'Ist das einer Ihrer Standorte?',
    isNew: 'Nein, er ist neu',
    away: (distance) => `${distance} entfernt`,
    othersTitle: 'Ein Standort eines anderen Unternehmens ist ganz nah',
    otherAt: (name, business, distance) => `${name} (${business}), ${distance} entfernt`,
    toSite: (name) => `${name} öffnen`,
    notChanged: 'Das wurde nicht geändert',

    // Run and outcome
    running: 'Wird importiert …',
    undoing: 'Wird rückgängig gemacht …',
    progress: (done, total) =>
      `${number(done)} von ${plural(total, { one: '1 Standort', other: `${number(total)} Standorten` })}`,
    doneTitle: (count) => `${sites(count)} importiert`,
    closedTitle: (count) => `${sites(count)} geschlossen`,
    doneNothing: 'Nichts wurde geändert',
    doneSome: (failed) =>
      plural(failed, {
        one: '1 Standort konnte nicht gespeichert werden. Die Liste unten nennt den Grund.',
        other: `${number(failed)} Standorte konnten nicht gespeichert werden. Die Liste unten nennt die Gründe.`,
      }),
    triedAgain:
      'Wir versuchen es jede Nacht erneut, bei neuen Standorten, die Sie selbst importiert haben, erst wieder nach einer Änderung im Feed.',
    skipped: (count) =>
      plural(count, {
        one: '1 Standort wurde übersprungen, weil er nach der Vorschau geändert oder gelöscht wurde',
        other: `${number(count)} Standorte wurden übersprungen, weil sie nach der Vorschau geändert oder gelöscht wurden`,
      }),
    unanswered: (count) =>
      plural(count, {
        one: '1 Standort wurde ausgelassen, weil eine Antwort fehlt. Importieren Sie die Datei noch einmal, um sie zu geben.',
        other: `${number(count)} Standorte wurden ausgelassen, weil eine Antwort fehlt. Importieren Sie die Datei noch einmal, um sie zu geben.`,
      }),
    report: 'Bericht herunterladen',
    reportName: (day) => `importbericht-${day}.csv`,
    reportColumns: {
      position: 'Stelle in der Datei',
      action: 'Vorschau',
      result: 'Ergebnis',
      reason: 'Grund',
      match: 'Zuordnung',
    },
    excluded: 'Ausgelassen',
    undo: 'Diesen Import rückgängig machen',
    undoTitle: 'Diesen Import rückgängig machen?',
    undoText:
      'Neue Standorte werden gelöscht, geänderte erhalten ihre früheren Werte. Was seitdem geändert wurde, bleibt, wie es ist.',
    undoneTitle: 'Der Import wurde rückgängig gemacht',
    kept: (count) =>
      plural(count, {
        one: '1 Standort wurde seitdem geändert und bleibt, wie er ist',
        other: `${number(count)} Standorte wurden seitdem geändert und bleiben, wie sie sind`,
      }),
    failedTitle: 'Das konnte nicht importiert werden',
    again: 'Noch eine Datei importieren',
    dashboard: 'Zu Ihren Standorten',

    // Former imports
    formerTitle: 'Ihre Importe',
    none: 'Noch nichts importiert.',
    pasted: 'Eingefügter Text',
    ofFeed: 'aus einem Feed',
    open: (source) => `Import von ${source} öffnen`,
    what: {
      NEW: (count) => `${number(count)} neu`,
      CHANGED: (count) => `${number(count)} geändert`,
      REFUSED: (count) => `${number(count)} abgelehnt`,
    },
    keptFor: (days) => `Importe werden ${number(days)} Tage aufbewahrt.`,

    // Feeds
    feedsTitle: 'Regelmäßige Feeds',
    feedsText:
      'Ein Feed ist eine Adresse, die wir jede Nacht lesen. Änderungen werden nach Ihren Regeln automatisch übernommen.',
    addFeed: 'Feed hinzufügen',
    feedName: 'Name',
    feedNameHint: 'Damit Sie ihn wiedererkennen',
    feedAdded: 'Feed hinzugefügt. Er wird jetzt gelesen.',
    feedRules: 'Automatisch',
    feedRulesHint:
      'Alles andere wartet auf Sie; wir schicken Ihnen eine E-Mail. Was Sie ändern, bleibt so, bis der Feed selbst es ändert. Was Sie löschen oder auslassen, bleibt draußen.',
    feedApply: {
      NEW: 'Neue Standorte hinzufügen',
      CHANGED: 'Standorte ändern',
      MISSING: 'Standorte als geschlossen markieren, die nicht mehr im Feed sind',
    },
    feedStates: {
      OK: 'In Ordnung',
      NEEDS_REVIEW: 'Wartet auf Sie',
      FAILING: 'War nicht lesbar',
      DEAD: 'Seit Langem nicht lesbar',
    },
    feedPaused: 'Angehalten',
    lastRead: (when) => `gelesen ${when}`,
    neverRead: 'noch nicht gelesen',
    lastChanged: (when) => `neuer Inhalt ${when}`,
    readFeed: 'Jetzt lesen',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    removeFeed: 'Entfernen',
    removeFeedTitle: (name) => `Den Feed ${name} entfernen?`,
    removeFeedText: 'Er wird nicht mehr gelesen. Die Standorte, die aus ihm kamen, bleiben.',
    newToken: 'Neuer Token',
    saveToken: 'Token speichern',
    tokenSaved: 'Der Token wurde gespeichert.',
    review: 'Vorschau ansehen',
    settings: 'Einstellungen',
    feedFor: (action, name) => `${action}: ${name}`,
    feedNotSaved: 'Der Feed wurde nicht gespeichert',

    rules: {
      voltage_between_phases:
        'Angegeben war die Spannung zwischen den Außenleitern; dies ist die gegen den Neutralleiter.',
      coordinates_east_likely:
        'Das O des Längengrads bedeutet vielleicht Osten und nicht Westen (ouest, oeste).',
      coordinates_of_plugs:
        'Die Position war ungültig; stattdessen wurde die der Ladepunkte verwendet.',
      power_in_voltage: 'Die Leistung fehlt; wahrscheinlich ist sie als Spannung angegeben.',
      text_cleaned: 'Überflüssige Leerzeichen und andere Zeichen wurden entfernt.',
      placeholder_removed: 'Ein Platzhalter für einen unbekannten Wert wurde ausgelassen.',
      number_in_words: 'Eine Zahl war mit Komma, Einheit oder Tausendertrennzeichen geschrieben.',
      list_in_text: 'Eine Liste war als Text geschrieben.',
      flag_in_words: 'Ja oder Nein war in Worten geschrieben.',
      date_spelling: 'Ein Datum war anders geschrieben.',
      value_spelling: 'Ein Wert einer Auswahl war anders geschrieben.',
      value_unknown: 'Dieser Wert ist hier nicht bekannt; er wurde ausgelassen.',
      coordinates_in_one: 'Breiten- und Längengrad standen in einem Wert.',
      coordinates_with_hemisphere:
        'Eine Koordinate war mit Himmelsrichtung oder in Grad und Minuten geschrieben.',
      coordinates_scaled: 'Das Komma einer Koordinate fehlte.',
      coordinates_swapped: 'Breiten- und Längengrad waren vertauscht.',
      coordinates_swapped_likely: 'Breiten- und Längengrad sind wahrscheinlich vertauscht.',
      coordinates_sign: 'Einer Koordinate fehlt wahrscheinlich das Minuszeichen.',
      country_code: 'Das Land war ein Name oder ein anderer Code.',
      country_from_position:
        'Das Land war ungültig; stattdessen wurde das Land an der Position verwendet.',
      country_of_position_likely: 'Die Position liegt in einem anderen Land als angegeben.',
      postal_code_zero: 'Am Anfang der Postleitzahl fehlten Nullen.',
      time_zone_spelling: 'Die Zeitzone war anders geschrieben.',
      time_zone_removed: 'Die Zeitzone gibt es nicht; die richtige ergibt sich aus der Position.',
      hours_read: 'Die Öffnungszeiten waren in einer anderen Form geschrieben.',
      hours_partly_read: 'Ein Teil der Öffnungszeiten war nicht lesbar.',
      name_from_address: 'Der Name fehlte; stattdessen wurde die Adresse oder die ID verwendet.',
      address_from_parts:
        'Die Adresse fehlte; stattdessen wurde der Ort oder die Position verwendet.',
      email_cleaned: 'Zusätzlicher Text um eine E-Mail-Adresse wurde entfernt.',
      email_removed: 'Die E-Mail-Adresse ist ungültig; sie wurde ausgelassen.',
      phone_cleaned: 'Ein Zusatz wie „Tel.“ vor einer Telefonnummer wurde entfernt.',
      url_cleaned: 'Zusätzlicher Text um eine Webadresse wurde entfernt.',
      text_shortened: 'Ein Text ist zu lang; nur sein Anfang passt.',
      value_removed: 'Der Wert kann nicht übernommen werden; er wurde ausgelassen.',
      power_in_watts: 'Die Leistung war in W statt in kW angegeben.',
      power_in_megawatts: 'Die Leistung war in kW angegeben, wo W erwartet wurde.',
      power_from_current: 'Die Leistung fehlte; sie ergibt sich aus Spannung und Stromstärke.',
      plug_usual: 'Der Steckertyp fehlt; dies ist der übliche bei dieser Leistung.',
      power_usual: 'Die Leistung fehlt; dies ist die übliche für diesen Steckertyp.',
      current_type_from_standard: 'Die Stromart ergibt sich aus dem Stecker.',
      current_type_from_power: 'Die Stromart fehlte; sie ergibt sich aus Stecker und Leistung.',
      format_from_standard:
        'Steckdose oder Kabel: Die Angabe fehlte; sie ergibt sich aus dem Stecker.',
      electrical_value_removed:
        'Eine Spannung oder Stromstärke ist unmöglich; sie wurde ausgelassen.',
      evse_id_spelling: 'Die ID eines Ladepunkts war anders geschrieben.',
      reference_shortened: 'Eine ID war zu lang; sie wurde gekürzt.',
      duplicate_reference: 'Zwei Anschlüsse hatten dieselbe ID; beim zweiten wurde sie entfernt.',
      connector_left_out:
        'Ein Anschluss, dessen Art oder Leistung nicht bekannt ist, wurde ausgelassen.',
      tariff_left_out: 'Ein Preis, der nicht übernommen werden kann, wurde ausgelassen.',
      tariff_missing: 'Der Preis, auf den verwiesen wird, ist nicht in der Datei.',
    },
    problems: {
      excel_old_or_encrypted:
        'Diese Arbeitsmappe stammt aus Excel vor 2007 oder hat ein Passwort; speichern Sie sie als .xlsx ohne Passwort.',
      table_empty: 'Die Tabelle hat Überschriften, aber keine Zeilen.',
      source_without_stations: 'Es enthält keine Ladestandorte.',
      record_not_location: 'Dieser Eintrag ist kein Ladestandort.',
      position_same: 'Breiten- und Längengrad sind dieselbe Zahl, <value>.',
      position_at_sea: 'Die Position liegt im Meer, als Land ist aber <stated> angegeben.',
      url_token_needs_https: 'Ein Token wird nur an Adressen gesendet, die mit https:// beginnen.',
      source_empty: 'Es ist leer.',
      source_is_page:
        'Es ist eine Webseite und keine Datei: Die Adresse hat sich vielleicht geändert oder verlangt eine Anmeldung.',
      format_unknown:
        'Dieses Format kann nicht gelesen werden; speichern Sie es als CSV oder Excel, eine Karte als GeoJSON.',
      json_invalid: 'Ab Zeichen <position> ist es kein gültiges JSON.',
      json_unexpected:
        'Es ist kein gültiges JSON: „<found>“ an Zeichen <position> gehört nicht dorthin.',
      json_cut_off: 'Das JSON endet zu früh, nach <position> Zeichen.',
      xml_invalid: 'Ab Zeile <line> ist es kein gültiges XML.',
      json_too_deep: 'Es ist tiefer als <max> Ebenen verschachtelt.',
      compressed_damaged:
        'Die komprimierte Datei ist beschädigt oder wurde nicht vollständig übertragen.',
      archive_damaged: 'Das Archiv ist beschädigt oder wurde nicht vollständig übertragen.',
      archive_encrypted: 'Das Archiv ist mit einem Passwort geschützt; entpacken Sie es zuerst.',
      archive_too_large: 'Entpackt ist es größer als <max>.',
      archive_too_many_files: 'Das Archiv hat mehr als <max> Dateien.',
      workbook_too_costly:
        'Diese Arbeitsmappe zu lesen braucht zu viel Speicher oder Zeit; speichern Sie das Blatt als CSV.',
      archive_without_data: 'Das Archiv enthält weder eine Tabelle noch Ladestandorte.',
      archive_of_several:
        'Das Archiv enthält mehrere Dateien; entpacken Sie es und importieren Sie sie nacheinander.',
      table_damaged: 'Ab Zeile <line> ist es keine gültige Tabelle.',
      quote_not_closed:
        'Ein Anführungszeichen wird nicht geschlossen; die letzte gelesene Zeile ist <line>.',
      source_too_large: 'Es ist größer als <max>.',
      record_not_object: 'Dieser Eintrag kann nicht gelesen werden.',
      record_too_large: 'Das ist größer als <max>.',
      record_too_many_values: 'Das hat mehr als <max> Werte.',
      sheet_not_read: 'Das Blatt „<sheet>“ wurde nicht gelesen; speichern Sie es als eigene Datei.',
      row_too_wide: 'Diese Zeile hat mehr als <max> Spalten.',
      row_with_extra_cells:
        'Diese Zeile hat mehr Zellen, als es Überschriften gibt. Enthält ein Wert das Trennzeichen, setzen Sie ihn in Anführungszeichen.',
      name_and_address_missing: 'Weder Name noch Adresse ist angegeben.',
      id_of_several_sites:
        'Die ID <value> gehört zu mehreren Standorten; geben Sie jedem eine eigene.',
      position_missing: 'Es ist keine Position angegeben.',
      position_unreadable:
        '„<value>“ ist als Position nicht lesbar; geben Sie sie in Grad an, etwa 48,8566.',
      position_zero: 'Die Position ist 0, 0: ein Platzhalter im Meer.',
      position_impossible: '<latitude>, <longitude> ist keine Position auf der Erde.',
      position_outside_country: 'Laut Position ist das Land <found>, angegeben ist aber <stated>.',
      connectors_invalid: 'Von keinem seiner Anschlüsse sind Art und Leistung bekannt.',
      connectors_too_many: 'Er hat mehr als <max> Anschlüsse.',
      value_missing: 'Es fehlt: <field>.',
      value_invalid: 'Ein Wert kann nicht übernommen werden.',
      answer_needed: 'Beantworten Sie zuerst die Frage zu diesem Feld: <field>.',
      url_invalid: 'Das ist keine Webadresse, die mit https:// oder http:// beginnt.',
      url_private: 'Die Adresse führt in ein privates Netz.',
      url_not_found: 'Den Server <host> gibt es nicht.',
      url_unreachable: '<host> antwortet nicht.',
      url_too_slow: '<host> braucht zu lange, um zu antworten.',
      url_refused: '<host> antwortet mit Status <status>.',
      url_unauthorized: '<host> nimmt den Token nicht an.',
      url_too_many_redirects: '<host> leitet mehr als <max>-mal weiter.',
      url_too_many_pages: 'Der Feed hat mehr als <max> Seiten.',
      url_incomplete: '<host> nennt <total> Einträge, gibt aber nicht alle heraus.',
      url_insecure_certificate: 'Das Zertifikat von <host> ist nicht gültig.',
      url_without_locations: '<host> bietet keine OCPI-Locations an.',
      match_doubtful:
        'Vielleicht ist das ein vorhandener Standort: Wählen Sie ihn, oder sagen Sie, dass es ein neuer ist.',
      unchanged_in_feed:
        'Das stand schon vorher im Feed. Seither wurde es geändert, gelöscht oder ausgelassen; das bleibt so, wenn Sie es nicht auswählen.',
      perhaps_left_out:
        'Vielleicht ist das ein gelöschter oder ausgelassener Standort unter einer anderen ID. Er wird nur importiert, wenn Sie ihn auswählen.',
      site_taken: 'Eine andere Zeile der Datei betrifft denselben Standort.',
      changed_since_plan:
        'Der Standort wurde nach dieser Vorschau geändert und deshalb übersprungen.',
      changed_since_run: 'Er wurde nach dem Import geändert und blieb deshalb so.',
      partly_changed_since_run:
        'Ein Teil wurde nach dem Import geändert und blieb deshalb so; der Rest wurde rückgängig gemacht.',
      site_gone: 'Den Standort gibt es nicht mehr.',
      tariff_gone:
        'Sein Preis wurde nach dieser Vorschau gelöscht; importieren Sie ihn noch einmal.',
      tariffs_too_many: 'Seine Anschlüsse haben mehr als <max> verschiedene Preise.',
      fields_invalid: 'Einige Werte können nicht gespeichert werden.',
      many_missing:
        'Darin fehlen <count> der <total> Standorte dieses Feeds. So viele werden nur geschlossen, wenn Sie es in der Vorschau bestätigen.',
      too_many_rows: 'Es sind mehr als <max> Ladestandorte.',
      file_gone: 'Die Datei ist nicht mehr da; laden Sie sie noch einmal hoch.',
      interrupted:
        'Es wurde <count>-mal hintereinander unterbrochen; versuchen Sie es später noch einmal.',
    },
  },
} satisfies Catalogue['imports']
