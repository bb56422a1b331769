import { counts, megabytes, millions, plurals, texts } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const text = texts('de')

/** The forms, in German. */
export default {
  // Form
  form: {
    optional: 'optional',
    saving: 'Wird gespeichert …',
    stalled: 'Es kommt nichts durch. Die Verbindung ist vielleicht zu schwach.',
    problems: (count) =>
      plural(count, { one: 'Es gibt 1 Problem', other: `Es gibt ${number(count)} Probleme` }),
    problemOf: (label, problem) => `${label}: ${problem}`,
    problemsText: 'Bitte korrigieren und erneut speichern:',
    notSaved: 'Ihre Änderungen sind noch da. Versuchen Sie es erneut.',
    partlySaved: 'Der Standort ist gespeichert, einige Anschlüsse nicht. Sie sind unten markiert.',
    remaining: (count) =>
      plural(count, { one: 'noch 1 Zeichen', other: `noch ${number(count)} Zeichen` }),
    publicHint: 'Öffentlich: Register und Partner lesen das.',
    tooLong: (count) =>
      plural(count, { one: '1 Zeichen zu viel', other: `${number(count)} Zeichen zu viel` }),
    photoUnreadable: (name) => `${name} lässt sich nicht als Bild lesen.`,
    photoHeic: (name) =>
      `${name} ist ein HEIC-Foto, das dieser Browser nicht lesen kann. Teilen oder exportieren Sie es auf dem Telefon als JPEG und fügen Sie es neu hinzu.`,
  },
  required: {
    name: 'Geben Sie einen Namen ein',
    address: 'Geben Sie die Adresse ein',
    latitude: 'Geben Sie den Breitengrad ein',
    longitude: 'Geben Sie den Längengrad ein',
    status: 'Wählen Sie einen Status',
    standard: 'Wählen Sie den Stecker',
    format: 'Wählen Sie Kabel oder Steckdose',
    current_type: 'Wählen Sie die Stromart',
    kw_rating: 'Geben Sie die Leistung in kW ein',
    password: 'Geben Sie ein neues Passwort ein',
    passwordConfirm: 'Geben Sie dasselbe Passwort noch einmal ein',
  },
  fieldErrors: {
    validation_required: () => 'Füllen Sie dieses Feld aus',
    validation_min_text_constraint: (p) => `Verwenden Sie mindestens ${text(p, 'min')} Zeichen`,
    validation_max_text_constraint: (p) => `Verwenden Sie höchstens ${text(p, 'max')} Zeichen`,
    validation_length_too_long: (p) => `Möglich sind höchstens ${text(p, 'max')}`,
    validation_invalid_format: (p) =>
      'example' in p
        ? `So schreiben: ${text(p, 'example')}`
        : 'Hier stehen Zeichen, die nicht verwendet werden können',
    validation_is_email: () => 'Geben Sie eine E-Mail-Adresse wie name@example.com ein',
    validation_invalid_url: () => 'Geben Sie eine Webadresse wie example.com ein',
    validation_not_a_number: () => 'Geben Sie eine Zahl ein',
    validation_only_int_constraint: () => 'Geben Sie eine ganze Zahl ein',
    validation_min_number_constraint: (p) => `Geben Sie mindestens ${text(p, 'min')} ein`,
    validation_max_number_constraint: (p) => `Geben Sie höchstens ${text(p, 'max')} ein`,
    validation_above_number_constraint: (p) => `Geben Sie mehr als ${text(p, 'above')} ein`,
    validation_invalid_value: () => 'Wählen Sie einen der angebotenen Werte',
    validation_too_many_values: (p) => `Wählen Sie höchstens ${text(p, 'maxSelect')}`,
    validation_invalid_json: () => 'Das ist nicht lesbar',
    validation_json_size_limit: () => 'Das ist zu groß zum Speichern',
    validation_json_shape: () => 'Ein Teil davon stimmt nicht',
    validation_missing_rel_records: () => 'Der Eintrag, zu dem dies gehört, existiert nicht mehr',
    validation_too_many_referring: (p) => `Die Höchstzahl von ${text(p, 'max')} ist erreicht`,
    validation_too_many_distinct: (p) => `Verwenden Sie höchstens ${text(p, 'max')} verschiedene`,
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} ist größer als ${megabytes('de', p, 'maxSize')} MB`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} ist kein verwendbares Bild (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} hat mehr als ${millions('de', p, 'maxPixels')} Millionen Pixel. Verkleinern oder exportieren Sie es als JPEG`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} ist zu groß: Die längste Seite darf ${text(p, 'maxSide')} Pixel haben`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} enthält mehr als ${megabytes('de', p, 'maxSize')} MB Metadaten. Exportieren Sie es ohne Metadaten`,
    validation_too_many_files: (p) => `Wählen Sie höchstens ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) =>
      `Diese Dateien konnten nicht verwendet werden: ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'Das gibt es schon',
    validation_record_in_use: () => 'Das wird noch verwendet',
    validation_values_mismatch: () => 'Die beiden Werte sind verschieden',
    validation_length_out_of_range: (p) =>
      `Verwenden Sie ${text(p, 'min')} bis ${text(p, 'max')} Zeichen`,
    validation_in_invalid: () => 'Wählen Sie einen der angebotenen Werte',
    validation_max_less_equal_than_required: (p) => `Wählen Sie höchstens ${text(p, 'threshold')}`,
    validation_invalid_token: () => 'Dieser Link gilt nicht mehr',
    validation_invalid_token_claims: () => 'Dieser Link ist nicht vollständig',
    validation_token_collection_mismatch: () => 'Dieser Link gehört zu einer anderen Art von Konto',
    validation_token_email_mismatch: () => 'Dieser Link gehört zu einer anderen E-Mail-Adresse',
  },

  // Site
  site: {
    notFoundTitle: 'Diesen Standort gibt es nicht mehr',
    notFound: 'Vielleicht wurde er auf einem anderen Gerät gelöscht.',
    deletedTitle: 'Dieser Standort wurde auf einem anderen Gerät gelöscht.',
    deletedText: (photos: number) =>
      photos === 0
        ? 'Ihre Eingaben sind noch da.'
        : 'Ihre Eingaben sind noch da. Die gespeicherten Fotos sind gelöscht.',
    addAnother: 'Speichern und einen ähnlichen hinzufügen',
    addAgain: 'Als neuen Standort hinzufügen',
    chooseTitle: 'Welchen Standort möchten Sie bearbeiten?',
    whereTitle: 'Wo befindet sich der Standort?',
    addressHint: 'Straße, Hausnummer, Postleitzahl und Ort.',
    useLocation: 'Meine Position verwenden',
    locating: 'Ihre Position wird gesucht …',
    located: (metres) => `Position übernommen, auf etwa ${metres} m genau.`,
    locationDenied:
      'Dieser Browser gibt die Position nicht frei. Geben Sie die Koordinaten ein oder fügen Sie sie ein.',
    locationFailed:
      'Ihre Position war nicht zu finden. Geben Sie die Koordinaten ein oder fügen Sie sie ein.',
    needsPosition:
      'Geben Sie die Position an: Wählen Sie eine Adresse, verwenden Sie Ihre Position oder geben Sie die Koordinaten ein',
    coordinatesHint:
      'Ein Paar wie „55,2044; -6,6531“ oder ein Kartenlink in einem der Felder füllt beide.',
    pastedBoth: 'Beide Koordinaten sind eingetragen.',
    shortLink:
      'Kurzlinks enthalten die Position nicht. Öffnen Sie den Link und kopieren Sie dann die lange Adresse.',
    detailsTitle: 'Angaben',
    nameHint: 'Wonach Reisende suchen, etwa der Name auf dem Schild.',
    statusHints: {
      AVAILABLE: 'Hier kann man jetzt laden',
      PLANNED: 'Noch nicht gebaut oder eingeschaltet',
      INOPERATIVE: 'Zurzeit geschlossen, nicht defekt',
      OUTOFORDER: 'Defekt, muss repariert werden',
      REMOVED: 'Kommt nicht wieder',
    },
    statusByMachine: 'Von der Ladestation gemeldet. Bleibt, bis Sie etwas anderes wählen.',
    capacityHint: 'Wie viele Fahrzeuge gleichzeitig laden können.',
    chargePoints: (count: number) =>
      plural(count, { one: '1 Ladepunkt', other: `${number(count)} Ladepunkte` }),
    capacityDoubt: (vehicles, plugs) => `${vehicles}, aber ${plugs}. Stimmt das?`,
    fewer: 'Eines weniger',
    more: 'Eines mehr',
    costHint: 'In eigenen Worten.',
    costSuggestions: ['Kostenlos', 'Kostenlos für Gäste'],
    takeSuggestion: (value) => `„${value}“ übernehmen`,
    preview: 'So sehen es Reisende',
    previewTitle: 'So sehen es Reisende',
    closePreview: 'Schließen',
    confirm: 'Angaben bestätigen',
    confirmed: (day: string) => `Von Ihnen bestätigt am ${day}`,
    confirmThanks: 'Danke. Reisende sehen, dass Sie die Angaben heute bestätigt haben.',
    contactTitle: 'Kontakt',
    contactHint: 'Reisende sehen beides.',
    sections: {
      hours: { title: 'Öffnungszeiten', hint: 'Rund um die Uhr oder nach Wochentagen' },
      price: { title: 'Preis', hint: 'Was es kostet und wie bezahlt wird' },
      more: { title: 'Gut zu wissen', hint: 'Zugang, Parken, Umgebung, genaue Adressangaben' },
    },
    add: 'Standort hinzufügen',
    save: 'Änderungen speichern',
    saved: (name) => `${name} gespeichert`,
  },

  // Location
  location: {
    addressHint: 'Zum Suchen tippen. Auch Koordinaten und Links aus Karten-Apps werden verstanden.',
    addressHintPlain:
      'Straße, Hausnummer, Postleitzahl und Ort. Auch Koordinaten und Links aus Karten-Apps werden verstanden.',
    suggestions: 'Adressen',
    found: (count) =>
      plural(count, {
        one: '1 Adresse gefunden. Wählen Sie mit Pfeiltasten und Eingabetaste.',
        other: `${number(count)} Adressen gefunden. Wählen Sie mit Pfeiltasten und Eingabetaste.`,
      }),
    foundNone: 'Keine Adresse gefunden.',
    useTyped: 'Eingabe unverändert übernehmen',
    takeCoordinates: (pair) => `Die Koordinaten ${pair} übernehmen`,
    searchDown:
      'Die Adresssuche ist nicht erreichbar. Geben Sie die Adresse ein und legen Sie die Position unten fest.',
    searchBusy:
      'Zu viele Suchanfragen. Tippen Sie weiter; in einer Minute gibt es wieder Vorschläge.',
    linkWithoutPlace:
      'Dieser Link enthält keine Position. Öffnen Sie ihn und kopieren Sie stattdessen die Koordinaten.',
    following: 'Der Link wird geöffnet …',
    addressFound: 'Daraus wurde die Adresse ermittelt. Bitte prüfen Sie sie.',
    takeAddress: (address) => `Die Adresse ${address} übernehmen`,
    addressPosition: 'Adresse und Koordinaten sind eingetragen.',
    openMap: 'Auf einer Karte festlegen',
    adjustMap: 'Auf einer Karte anpassen',
    mapTitle: 'Position festlegen',
    mapHelp: 'Verschieben Sie die Karte, bis die Markierung auf den Ladesäulen steht.',
    mapKeys: 'Pfeiltasten verschieben die Karte, + und − ändern den Maßstab.',
    mapLabel: 'Karte unter einer festen Markierung',
    withoutMap: 'Geben Sie stattdessen die Koordinaten ein oder fügen Sie sie ein.',
    usePosition: 'Diese Position übernehmen',
    closeMap: 'Karte schließen',
    positionTaken: 'Position von der Karte übernommen.',
  },

  // Connectors
  format: { SOCKET: 'Steckdose: eigenes Kabel mitbringen', CABLE: 'Kabel vorhanden' },
  currentType: {
    AC_1_PHASE: 'AC, einphasig',
    AC_2_PHASE: 'AC, zwei von drei Phasen',
    AC_2_PHASE_SPLIT: 'AC, Split-Phase (Nordamerika)',
    AC_3_PHASE: 'AC, dreiphasig',
    DC: 'DC',
  },
  connectors: {
    title: 'Anschlüsse',
    hint: 'Eine Zeile je Steckertyp, mit der Anzahl.',
    addPreset: 'Anschluss hinzufügen',
    otherPreset: 'Anderer …',
    presetLabel: (label) => `${label} hinzufügen`,
    none: 'Noch keine Anschlüsse. Wählen Sie oben einen aus.',
    position: (position) => `Anschluss ${position}`,
    blank: 'Neuer Anschluss',
    quantity: (position) => `Anzahl von Anschluss ${position}`,
    fewer: (position) => `Einer weniger von Anschluss ${position}`,
    more: (position) => `Einer mehr von Anschluss ${position}`,
    quantityLimits: (max) =>
      `Geben Sie 1 bis ${number(max)} ein. Weitere kommen in eine neue Zeile.`,
    ownChargePoint: 'Je ein eigener',
    sharedWith: (position: number, plugs: string) =>
      `Gemeinsam mit Anschluss ${position}: ${plugs}`,
    oneAtATime: (points: string, plugs: string) => `${points}: ${plugs}, jeweils nur einer nutzbar`,
    chargePointsTitle: 'Ladepunkte',
    separate: (plugs: string) => (plugs === '' ? 'Trennen' : `Trennen: ${plugs}`),
    chargePointHint: 'Von den Anschlüssen eines Ladepunkts lässt sich jeweils nur einer nutzen.',
    moreTitle: 'Weitere Angaben',
    moreHint: 'Eigener Preis, Kennungen, Spannung, Stromstärke',
    numbered: (position) => `Nr. ${number(position)}`,
    sameAsSite: 'Wie am Standort',
    pasteList: 'Fügen Sie eine Liste ein, um mehrere auf einmal auszufüllen.',
    duplicate: (position) => `Anschluss ${position} duplizieren`,
    remove: (position) => `Anschluss ${position} entfernen`,
    removed: (what) => `Entfernt: ${what}`,
    done: 'Fertig',
    choose: 'Bitte wählen …',
    search: 'Nach Namen suchen',
    common: 'Häufig',
    others: 'Alle anderen',
    noMatch: 'Kein Stecker heißt so.',
    notSaved: 'Nicht gespeichert.',
    someNotSaved: (failed, total) =>
      plural(failed, {
        one: `1 von ${number(total)} wurde nicht gespeichert.`,
        other: `${number(failed)} von ${number(total)} wurden nicht gespeichert.`,
      }),
    warnings: {
      power: (kw) => `Sind ${kw} kW richtig?`,
      powerOfPlug: (kw, plug, max) =>
        `${plug} hat selten mehr als ${max} kW. Sind ${kw} kW richtig?`,
      dcOnly: (plug) => `${plug} lädt mit Gleichstrom (DC). Stimmt die Stromart?`,
      acOnly: (plug) => `${plug} lädt mit Wechselstrom (AC). Stimmt die Stromart?`,
      currentOfPlug: (plug, usual) => `Zu ${plug} gehört meist ${usual}. Stimmt die Stromart?`,
      currentOfPower: (kw, usual) => `Zu ${kw} kW gehört meist ${usual}. Stimmt die Stromart?`,
      cable: (plug) => `${plug} hat meist ein festes Kabel. Ist „Steckdose“ richtig?`,
      socket: (plug) => `${plug} ist meist eine Steckdose. Ist ein festes Kabel richtig?`,
    },
  },

  // Photos
  photos: {
    hint: 'Das erste ist das Titelbild und steht in der Liste. Zeigen Sie die Einfahrt, die Stellplätze, die Stecker und das Schild.',
    dropHint: 'Sie können Fotos auch hierher ziehen oder einfügen.',
    dropHere: 'Fotos hier ablegen',
    choose: 'Fotos wählen',
    take: 'Foto aufnehmen',
    count: (count, max) => `${count} von ${max}`,
    photo: (position) => `Foto ${position}`,
    newPhoto: (name) => `Neu: ${name}`,
    cover: 'Titelbild',
    category: (label) => `Was zu sehen ist: ${label}`,
    noCategory: 'Was ist zu sehen?',
    makeCover: (label) => `Zum Titelbild machen: ${label}`,
    moveLeft: (label) => `Nach links: ${label}`,
    moveRight: (label) => `Nach rechts: ${label}`,
    moved: (label, position, count) => `${label} ist jetzt Nummer ${position} von ${count}`,
    remove: (label) => `Entfernen: ${label}`,
    willGo: 'Wird beim Speichern entfernt',
    willNotCome: 'Wird nicht hinzugefügt',
    undo: (label) => `Entfernen rückgängig machen: ${label}`,
    tooMany: (max) => `Ein Standort kann ${max} Fotos haben. Die übrigen wurden weggelassen.`,
    tooLarge: (name, limit) =>
      `${name} ist auch verkleinert größer als ${limit} MB und wurde weggelassen.`,
    preparing: 'Wird vorbereitet …',
    waiting: 'Wartet …',
    uploading: (percent) => `Wird hochgeladen: ${percent}`,
    processing: 'Wird gespeichert …',
    done: 'Hochgeladen',
    failed: 'Nicht gespeichert.',
    retry: (label) => `Erneut versuchen: ${label}`,
    progress: (done, total) => `${done} von ${total} Fotos hochgeladen`,
    progressOfAll: (percent) => `Fotos werden hochgeladen: ${percent} %`,
    partlySaved:
      'Alles andere ist gespeichert. Die fehlenden Fotos sind unten markiert; versuchen Sie es dort erneut.',
    position: (name, place) => `${name} wurde bei ${place} aufgenommen.`,
    usePosition: 'Position dieses Fotos für die Markierung verwenden',
    ignorePosition: 'Nein, danke',
    positionUsed: 'Die Markierung steht jetzt dort, wo das Foto aufgenommen wurde.',
    positionPrivacy: 'Mit dem Foto wird die Position nicht gesendet.',
  },
} satisfies Catalogue['form']
