import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const sites = (count: number) =>
  plural(count, { one: `${number(count)} site`, other: `${number(count)} sites` })

/** Imports and feeds, in French. */
export default {
  imports: {
    // Start
    lead: 'Ajoutez ou modifiez beaucoup de sites à la fois. Rien n’est enregistré avant que vous ayez vu et confirmé l’aperçu, et un import entier peut être annulé.',
    formats:
      'OCPI, OICP, IRVE (France), NOBIL, Open Charge Map, GeoJSON, DATEX II, OpenStreetMap, nos propres exports, et tout tableau CSV, Excel, OpenDocument ou JSON. Même compressé.',
    from: 'Importer depuis',
    ways: { file: 'Un fichier', text: 'Du texte', url: 'Une adresse web' },
    drop: 'Déposez un fichier ici',
    choose: 'Choisir un fichier',
    or: 'ou',
    tooLarge: (max) => `Ce fichier dépasse ${max}.`,
    text: 'Texte',
    textHint: 'Collez des lignes d’un tableau, ou du JSON.',
    url: 'Adresse web',
    urlHint: 'D’un fichier ou d’un flux OCPI, comme https://example.com/ocpi/versions',
    urlMissing: 'Saisissez une adresse qui commence par https:// ou http://',
    textMissing: 'Collez d’abord du texte.',
    token: 'Jeton',
    tokenHint: 'Si l’adresse en demande un. Il ne sera plus affiché.',
    begin: 'Lire',
    sending: (percent) => `Envoi : ${percent}`,
    notSent: 'L’envoi n’a pas abouti',
    tooManyOpen: (max) =>
      `${number(max)} imports sont encore ouverts. Exécutez-en ou abandonnez-en un ci-dessous, puis réessayez.`,
    nothingLost: 'Votre choix est toujours là. Rien n’a été modifié.',
    needsBusiness: 'Décrivez d’abord votre entreprise : les sites importés lui appartiennent.',

    // Reading
    reading: 'Lecture…',
    found: (count) => `${sites(count)} jusqu’ici`,
    canLeave: 'Vous pouvez fermer cette page. L’import continue, et vous le retrouverez ici.',
    cancelTitle: 'Abandonner cet import ?',
    cancelText: 'L’aperçu est supprimé. Vos sites restent tels quels.',
    discard: 'Abandonner',
    notLoaded: 'Cet import n’a pas pu être chargé',
    listNotLoaded: 'Vos imports n’ont pas pu être chargés',
    gone: 'Cet import n’existe pas',
    goneText: (days) => `Il a peut-être été abandonné, ou date de plus de ${number(days)} jours.`,
    back: 'Tous les imports',
    updatingFailed: 'Pas de connexion pour le moment. L’import continue sur le serveur.',

    // Columns
    mappingTitle: 'Que signifient les colonnes ?',
    mappingText:
      'Ce que nous avons reconnu est déjà choisi. Indiquez ce que contient chaque colonne ; celles laissées de côté ne sont pas lues.',
    column: (heading) => `Colonne « ${heading} »`,
    noHeading: (position) => `Colonne ${number(position)}`,
    leaveOut: '(laisser de côté)',
    groups: { site: 'Site', connector: 'Connecteur', other: 'Autre' },
    extras: {
      position: 'Latitude et longitude ensemble',
      quantity: 'Nombre de connecteurs identiques',
      plugs_in_heading: 'Nombre de connecteurs du type indiqué dans l’en-tête',
      tariff: 'Tarif de notre propre export',
      own_id: 'Identifiant de notre propre export',
    },
    twice: (label) => `Une autre colonne est déjà lue comme « ${label} ».`,
    examples: 'Valeurs',
    previewTitle: 'Voici ce qui sera lu',
    previewNothing: 'Indiquez ce que contient au moins une colonne.',
    mapped: (some, all) => `Colonnes lues : ${number(some)} sur ${number(all)}`,
    readNow: 'Lire le tableau',
    columnsRead: 'Toutes les colonnes du tableau sont lues',
    columnsUnread: (count) =>
      plural(count, {
        one: `${number(count)} colonne du tableau n’est pas lue`,
        other: `${number(count)} colonnes du tableau ne sont pas lues`,
      }),
    chooseColumns: 'Choisir les colonnes',

    // Plan
    planTitle: (source) => `Aperçu : ${source}`,
    planText: 'Rien n’a encore été enregistré.',
    actions: {
      NEW: 'Nouveau',
      CHANGED: 'Modifié',
      UNCHANGED: 'Inchangé',
      MISSING: 'Absent du fichier',
      REFUSED: 'Non importable',
    },
    states: {
      PENDING: 'En attente',
      APPLIED: 'Importé',
      FAILED: 'Échec',
      SKIPPED: 'Ignoré',
      UNDONE: 'Annulé',
      KEPT: 'Conservé',
    },
    importStates: {
      READING: 'Lecture en cours',
      MAPPING: 'À traiter : colonnes',
      PLANNED: 'À traiter : aperçu',
      RUNNING: 'Import en cours',
      DONE: 'Importé',
      UNDOING: 'Annulation en cours',
      UNDONE: 'Annulé',
      FAILED: 'Échec',
    },
    all: 'Tout',
    repaired: 'Corrigé',
    questions: 'À vérifier',
    doubtful: 'Quel site ?',
    leftOut: 'Laissé de côté',
    filter: 'Filtrer l’aperçu',
    search: 'Chercher par nom ou identifiant',
    noRows: 'Rien ne correspond.',
    moreRows: 'Afficher plus',
    rowsNotLoaded: 'Les lignes n’ont pas pu être chargées.',
    nothingToDo: 'Rien à faire',
    nothingToDoText: 'Vos sites correspondent déjà à ce fichier.',
    takeAllIn: 'Tout inclure',
    leaveAllOut: 'Tout laisser de côté',
    takeIn: (name) => `Importer ${name}`,
    changes: (count) =>
      plural(count, {
        one: `${number(count)} modification`,
        other: `${number(count)} modifications`,
      }),
    repairs: (count) =>
      plural(count, { one: `${number(count)} correction`, other: `${number(count)} corrections` }),
    openQuestions: (count) =>
      plural(count, { one: `${number(count)} question`, other: `${number(count)} questions` }),
    missingTitle: (count) =>
      plural(count, {
        one: `${number(count)} de vos sites n’est pas dans ce fichier`,
        other: `${number(count)} de vos sites ne sont pas dans ce fichier`,
      }),
    missingConnectors: (count) =>
      plural(count, {
        one: `${number(count)} connecteur de vos sites n’est pas dans ce fichier`,
        other: `${number(count)} connecteurs de vos sites ne sont pas dans ce fichier`,
      }),
    keepMissing: 'Les laisser tels quels',
    removeMissing: {
      sites: 'Les marquer comme fermés définitivement',
      connectors: 'Les supprimer',
      both: 'Marquer les sites comme fermés définitivement et supprimer les connecteurs',
    },
    waitingAnswers: (count) =>
      plural(count, {
        one: `${number(count)} site attend une réponse`,
        other: `${number(count)} sites attendent une réponse`,
      }),
    waitingText:
      'Sans réponse, un site est importé tel qu’il figure dans le fichier, ou laissé de côté si c’est impossible.',
    showThem: 'Afficher',
    refusedTitle: (count) =>
      plural(count, {
        one: `${number(count)} entrée ne peut pas être importée`,
        other: `${number(count)} entrées ne peuvent pas être importées`,
      }),
    refusedText:
      'La raison est indiquée pour chacune. Corrigez-les dans le fichier et importez-le de nouveau quand vous voulez.',
    allRefused: 'Rien dans ce fichier ne peut être importé',
    run: (count) => `Importer ${sites(count)}`,
    close: (count) => `Fermer ${sites(count)}`,
    runNone: 'Ne rien importer',

    // Row
    line: (line) => `ligne ${line}`,
    entry: (position) => `entrée ${position}`,
    plugs: (count) =>
      plural(count, { one: `${number(count)} connecteur`, other: `${number(count)} connecteurs` }),
    unnamed: 'Sans nom',
    before: 'avant',
    after: 'après',
    nothing: 'vide',
    notImported: 'non importé',
    connector: (position) => `Connecteur ${number(position)}`,
    wholeConnector: 'Connecteur',
    newSite: 'Tout y est nouveau :',
    changesTitle: 'Modifications',
    repairsTitle: 'Corrigé',
    questionsTitle: 'À vérifier',
    yes: 'Oui, corriger',
    no: 'Non, c’est exact',
    sameForAll: 'La même réponse pour tous les sites concernés',
    answered: 'Toutes ces questions ont une réponse.',
    needsAnswer: 'Attend une réponse',
    matched: {
      REFERENCE: 'Reconnu par son identifiant',
      POSITION: 'Trouvé au même point',
      NEAR: 'Trouvé à moins de 25\u00A0m',
      NAME: 'Reconnu par son nom, tout près',
      FEED: 'Reconnu comme à la dernière lecture du flux',
      CHOICE: 'Votre choix',
    },
    whichTitle: 'Est-ce l’un de vos sites ?',
    isNew: 'Non, c’est un nouveau site',
    away: (distance) => `à ${distance}`,
    othersTitle: 'Un site d’une autre entreprise est tout près',
    otherAt: (name, business, distance) => `${name} (${business}), à ${distance}`,
    toSite: (name) => `Ouvrir ${name}`,
    notChanged: 'La modification n’a pas abouti',

    // Run and outcome
    running: 'Import en cours…',
    undoing: 'Annulation en cours…',
    progress: (done, total) => `${number(done)} sur ${sites(total)}`,
    doneTitle: (count) =>
      plural(count, {
        one: `${number(count)} site importé`,
        other: `${number(count)} sites importés`,
      }),
    closedTitle: (count) =>
      plural(count, {
        one: `${number(count)} site fermé`,
        other: `${number(count)} sites fermés`,
      }),
    doneNothing: 'Rien n’a été modifié',
    doneSome: (failed) =>
      plural(failed, {
        one: `${number(failed)} site n’a pas pu être enregistré. La liste ci-dessous indique la raison.`,
        other: `${number(failed)} sites n’ont pas pu être enregistrés. La liste ci-dessous indique les raisons.`,
      }),
    triedAgain:
      'Nous réessayons chaque nuit ; pour les nouveaux sites que vous avez importés vous-même, seulement s’ils changent dans le flux.',
    skipped: (count) =>
      plural(count, {
        one: `${number(count)} site a été ignoré, car il a été modifié ou supprimé après l’aperçu`,
        other: `${number(count)} sites ont été ignorés, car ils ont été modifiés ou supprimés après l’aperçu`,
      }),
    unanswered: (count) =>
      plural(count, {
        one: `${number(count)} site a été laissé de côté, faute de réponse. Importez de nouveau le fichier pour la donner.`,
        other: `${number(count)} sites ont été laissés de côté, faute de réponse. Importez de nouveau le fichier pour la donner.`,
      }),
    report: 'Télécharger le rapport',
    reportName: (day) => `rapport-import-${day}.csv`,
    reportColumns: {
      position: 'Place dans le fichier',
      action: 'Aperçu',
      result: 'Résultat',
      reason: 'Raison',
      match: 'Correspondance',
    },
    excluded: 'Laissé de côté',
    undo: 'Annuler cet import',
    undoTitle: 'Annuler cet import ?',
    undoText:
      'Les nouveaux sites sont supprimés, les sites modifiés reprennent leurs valeurs d’avant. Ce qui a changé depuis reste tel quel.',
    undoneTitle: 'L’import a été annulé',
    kept: (count) =>
      plural(count, {
        one: `${number(count)} site a changé depuis et reste tel quel`,
        other: `${number(count)} sites ont changé depuis et restent tels quels`,
      }),
    failedTitle: 'L’import n’a pas abouti',
    again: 'Importer un autre fichier',
    dashboard: 'Vers vos sites',

    // Former imports
    formerTitle: 'Vos imports',
    none: 'Rien d’importé pour le moment.',
    pasted: 'Texte collé',
    ofFeed: 'd’un flux',
    open: (source) => `Ouvrir l’import de ${source}`,
    what: {
      NEW: (count) =>
        plural(count, { one: `${number(count)} nouveau`, other: `${number(count)} nouveaux` }),
      CHANGED: (count) =>
        plural(count, { one: `${number(count)} modifié`, other: `${number(count)} modifiés` }),
      REFUSED: (count) =>
        plural(count, { one: `${number(count)} refusé`, other: `${number(count)} refusés` }),
    },
    keptFor: (days) =>
      plural(days, {
        one: `Les imports sont conservés ${number(days)} jour.`,
        other: `Les imports sont conservés ${number(days)} jours.`,
      }),

    // Feeds
    feedsTitle: 'Flux',
    feedsText:
      'Un flux est une adresse que nous lisons chaque nuit. Les changements sont appliqués automatiquement, selon vos règles.',
    addFeed: 'Ajouter un flux',
    feedName: 'Nom',
    feedNameHint: 'Pour le reconnaître',
    feedAdded: 'Flux ajouté. Sa lecture commence.',
    feedRules: 'Automatiquement',
    feedRulesHint:
      'Tout le reste vous attend ; nous vous envoyons un e-mail. Ce que vous modifiez reste ainsi jusqu’à ce que le flux lui-même le change. Ce que vous supprimez ou laissez de côté n’est plus importé.',
    feedApply: {
      NEW: 'Ajouter les nouveaux sites',
      CHANGED: 'Modifier les sites',
      MISSING: 'Marquer comme fermés les sites qui ne sont plus dans le flux',
    },
    feedStates: {
      OK: 'Tout va bien',
      NEEDS_REVIEW: 'À traiter',
      FAILING: 'Lecture impossible',
      DEAD: 'Illisible depuis longtemps',
    },
    feedPaused: 'En pause',
    lastRead: (when) => `lu ${when}`,
    neverRead: 'pas encore lu',
    lastChanged: (when) => `nouveau contenu ${when}`,
    readFeed: 'Lire maintenant',
    pause: 'Mettre en pause',
    resume: 'Reprendre',
    removeFeed: 'Retirer',
    removeFeedTitle: (name) => `Retirer le flux ${name} ?`,
    removeFeedText: 'Il n’est plus lu. Les sites qui en viennent restent.',
    newToken: 'Nouveau jeton',
    saveToken: 'Enregistrer le jeton',
    tokenSaved: 'Le jeton est enregistré.',
    review: 'Voir l’aperçu',
    settings: 'Réglages',
    feedFor: (action, name) => `${action} : ${name}`,
    feedNotSaved: 'Le flux n’a pas été enregistré',

    rules: {
      voltage_between_phases:
        'La tension était celle entre phases ; voici celle entre phase et neutre.',
      coordinates_east_likely:
        'Le O de la longitude signifie peut-être l’est (Ost) et non l’ouest.',
      coordinates_of_plugs:
        'La position n’était pas valable ; celle des points de charge a été utilisée.',
      power_in_voltage: 'La puissance manque ; elle figure probablement à la place de la tension.',
      text_cleaned: 'Des espaces et des caractères inutiles ont été retirés.',
      placeholder_removed: 'Un texte de remplacement pour une valeur inconnue a été ignoré.',
      number_in_words: 'Un nombre était écrit avec une virgule, une unité ou un séparateur.',
      list_in_text: 'Une liste était écrite comme du texte.',
      flag_in_words: 'Oui ou non était écrit en toutes lettres.',
      date_spelling: 'Une date était écrite autrement.',
      value_spelling: 'Une valeur d’une liste était écrite autrement.',
      value_unknown: 'Cette valeur n’est pas connue ici ; elle a été ignorée.',
      coordinates_in_one: 'Latitude et longitude étaient dans une seule valeur.',
      coordinates_with_hemisphere:
        'Une coordonnée était écrite avec son hémisphère, ou en degrés et minutes.',
      coordinates_scaled: 'La virgule d’une coordonnée manquait.',
      coordinates_swapped: 'Latitude et longitude étaient inversées.',
      coordinates_swapped_likely: 'Latitude et longitude sont probablement inversées.',
      coordinates_sign: 'Il manque probablement le signe moins d’une coordonnée.',
      country_code: 'Le pays était un nom ou un autre code.',
      country_from_position: 'Le pays n’était pas valable ; il a été déduit de la position.',
      country_of_position_likely: 'La position est dans un autre pays que celui indiqué.',
      postal_code_zero: 'Des zéros manquaient au début du code postal.',
      time_zone_spelling: 'Le fuseau horaire était écrit autrement.',
      time_zone_removed: 'Ce fuseau horaire n’existe pas ; le bon a été déduit de la position.',
      hours_read: 'Les horaires étaient écrits sous une autre forme.',
      hours_partly_read: 'Une partie des horaires n’a pas pu être lue.',
      name_from_address: 'Le nom manquait ; l’adresse ou l’identifiant a été utilisé à la place.',
      address_from_parts: 'L’adresse manquait ; la ville ou la position a été utilisée à la place.',
      email_cleaned: 'Le texte autour d’une adresse e-mail a été retiré.',
      email_removed: 'L’adresse e-mail n’est pas valable ; elle a été ignorée.',
      phone_cleaned: 'Une mention telle que « tél. » devant un numéro de téléphone a été retirée.',
      url_cleaned: 'Le texte autour d’une adresse web a été retiré.',
      text_shortened: 'Un texte est trop long ; seul son début tient.',
      value_removed: 'La valeur ne peut pas être conservée ; elle a été ignorée.',
      power_in_watts: 'La puissance était en W au lieu de kW.',
      power_in_megawatts: 'La puissance était en kW là où des W étaient attendus.',
      power_from_current:
        'La puissance manquait ; elle a été déduite de la tension et de l’intensité.',
      plug_usual: 'Le type de prise manque ; c’est le type usuel pour cette puissance.',
      power_usual: 'La puissance manque ; c’est la puissance usuelle pour ce type de prise.',
      current_type_from_standard: 'Le type de courant a été déduit de la prise.',
      current_type_from_power:
        'Le type de courant manquait ; il a été déduit de la prise et de la puissance.',
      format_from_standard:
        'Prise ou câble : l’indication manquait ; elle a été déduite du type de prise.',
      electrical_value_removed: 'Une tension ou une intensité est impossible ; elle a été ignorée.',
      evse_id_spelling: 'L’identifiant d’un point de charge était écrit autrement.',
      reference_shortened: 'Un identifiant était trop long ; il a été raccourci.',
      duplicate_reference:
        'Deux connecteurs avaient le même identifiant ; il a été retiré du second.',
      connector_left_out: 'Un connecteur de type ou de puissance inconnus a été laissé de côté.',
      tariff_left_out: 'Un tarif qui ne peut pas être conservé a été laissé de côté.',
      tariff_missing: 'Le tarif auquel il est fait référence n’est pas dans le fichier.',
    },
    problems: {
      excel_old_or_encrypted:
        'C’est un classeur Excel d’avant 2007, ou protégé par un mot de passe ; enregistrez-le en .xlsx sans mot de passe.',
      table_empty: 'Le tableau a des titres, mais aucune ligne.',
      source_without_stations: 'Il ne contient aucun site de recharge.',
      record_not_location: 'Cette entrée n’est pas un site de recharge.',
      position_same: 'Latitude et longitude sont le même nombre, <value>.',
      position_at_sea: 'La position est en mer, mais « <stated> » est indiqué comme pays.',
      url_token_needs_https: 'Un jeton n’est envoyé qu’aux adresses qui commencent par https://.',
      source_empty: 'Le contenu est vide.',
      source_is_page:
        'C’est une page web, pas un fichier : l’adresse a peut-être changé ou demande une connexion.',
      format_unknown:
        'Ce format ne peut pas être lu ; enregistrez le fichier en CSV ou Excel, ou une carte en GeoJSON.',
      json_invalid: 'À partir du caractère <position>, ce n’est plus du JSON valide.',
      json_unexpected:
        'Ce n’est pas du JSON valide : « <found> », au caractère <position>, n’y a pas sa place.',
      json_cut_off: 'Le JSON s’arrête trop tôt, après <position> caractères.',
      xml_invalid: 'À partir de la ligne <line>, ce n’est plus du XML valide.',
      json_too_deep: 'L’imbrication dépasse <max> niveaux.',
      compressed_damaged: 'Le fichier compressé est endommagé ou incomplet.',
      archive_damaged: 'L’archive est endommagée ou incomplète.',
      archive_encrypted: 'L’archive est protégée par un mot de passe ; décompressez-la d’abord.',
      archive_too_large: 'Décompressé, le contenu dépasse <max>.',
      archive_too_many_files: 'L’archive contient plus de <max> fichiers.',
      workbook_too_costly:
        'La lecture de ce classeur demande trop de mémoire ou de temps ; enregistrez la feuille au format CSV.',
      archive_without_data: 'L’archive ne contient ni tableau ni sites de recharge.',
      archive_of_several:
        'L’archive contient plusieurs fichiers ; décompressez-la et importez-les l’un après l’autre.',
      table_damaged: 'À partir de la ligne <line>, le tableau n’est plus valide.',
      quote_not_closed: 'Un guillemet n’est pas fermé ; la dernière ligne lue est la <line>.',
      source_too_large: 'Le contenu dépasse <max>.',
      record_not_object: 'Cette entrée ne peut pas être lue.',
      record_too_large: 'Cela dépasse <max>.',
      record_too_many_values: 'Cela a plus de <max> valeurs.',
      sheet_not_read:
        'La feuille « <sheet> » n’a pas été lue ; enregistrez-la dans un fichier à part.',
      row_too_wide: 'Cette ligne a plus de <max> colonnes.',
      row_with_extra_cells:
        'Cette ligne a plus de cellules qu’il n’y a de titres. Si une valeur contient le séparateur, mettez-la entre guillemets.',
      name_and_address_missing: 'Ni nom ni adresse ne sont indiqués.',
      id_of_several_sites:
        'L’identifiant <value> appartient à plusieurs sites ; donnez à chacun le sien.',
      position_missing: 'Aucune position n’est indiquée.',
      position_unreadable:
        'Impossible de lire une position dans « <value> » ; indiquez-la en degrés, par exemple 48,8566.',
      position_zero: 'La position est 0, 0 : une valeur de remplacement, en pleine mer.',
      position_impossible: '<latitude>, <longitude> n’est pas une position sur Terre.',
      position_outside_country:
        'D’après la position, le pays est « <found> », mais « <stated> » est indiqué.',
      connectors_invalid: 'Aucun de ses connecteurs n’a un type et une puissance connus.',
      connectors_too_many: 'Il a plus de <max> connecteurs.',
      value_missing: 'Il manque : <field>.',
      value_invalid: 'Une valeur ne peut pas être conservée.',
      answer_needed: 'Répondez d’abord à la question sur ce champ : <field>.',
      url_invalid: 'Ce n’est pas une adresse web commençant par https:// ou http://.',
      url_private: 'L’adresse mène à un réseau privé.',
      url_not_found: 'Le serveur <host> n’existe pas.',
      url_unreachable: '<host> ne répond pas.',
      url_too_slow: '<host> met trop de temps à répondre.',
      url_refused: '<host> répond avec le statut <status>.',
      url_unauthorized: '<host> n’accepte pas le jeton.',
      url_too_many_redirects: '<host> redirige plus de <max> fois.',
      url_too_many_pages: 'Le flux a plus de <max> pages.',
      url_incomplete: '<host> annonce <total> entrées, mais ne les donne pas toutes.',
      url_insecure_certificate: 'Le certificat de <host> n’est pas valide.',
      url_without_locations: '<host> ne propose pas de « locations » OCPI.',
      match_doubtful:
        'C’est peut-être un site existant : choisissez-le, ou dites qu’il est nouveau.',
      unchanged_in_feed:
        'Le flux contenait déjà cela. Le site a depuis été modifié, supprimé ou laissé de côté ; il reste ainsi, sauf si vous sélectionnez cette ligne.',
      perhaps_left_out:
        'C’est peut-être un site supprimé ou laissé de côté, sous un autre identifiant. Il n’est importé que si vous le sélectionnez.',
      site_taken: 'Une autre ligne du fichier concerne le même site.',
      changed_since_plan: 'Le site a été modifié après cet aperçu ; il a donc été ignoré.',
      changed_since_run: 'Il a été modifié après l’import ; il n’a donc pas été rétabli.',
      partly_changed_since_run:
        'Une partie a été modifiée après l’import et est restée telle quelle ; le reste a été annulé.',
      site_gone: 'Le site n’existe plus.',
      tariff_gone: 'Son tarif a été supprimé après cet aperçu ; importez le site de nouveau.',
      tariffs_too_many: 'Ses connecteurs ont plus de <max> prix différents.',
      fields_invalid: 'Certaines valeurs ne peuvent pas être enregistrées.',
      many_missing:
        'Il y manque <count> des <total> sites de ce flux. Autant de sites ne sont fermés que si vous le confirmez dans l’aperçu.',
      too_many_rows: 'Il y a plus de <max> sites de recharge.',
      file_gone: 'Le fichier n’est plus là ; envoyez-le de nouveau.',
      interrupted: 'Interrompu <count> fois de suite ; réessayez plus tard.',
    },
  },
} satisfies Catalogue['imports']
