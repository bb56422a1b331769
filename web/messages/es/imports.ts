import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')
const sites = (count: number) =>
  plural(count, { one: '1 ubicación', other: `${number(count)} ubicaciones` })

/** Imports and feeds, in Spanish. */
export default {
  imports: {
    // Start
    lead: 'Añada o actualice muchas ubicaciones a la vez. No se guarda nada hasta que haya visto y confirmado la vista previa, y una importación entera se puede deshacer.',
    formats:
      'OCPI, OICP, IRVE (Francia), NOBIL, Open Charge Map, GeoJSON, DATEX II, OpenStreetMap, nuestras propias exportaciones y cualquier tabla CSV, Excel, OpenDocument o JSON. También comprimido.',
    from: 'Importar desde',
    ways: { file: 'Archivo', text: 'Texto', url: 'Dirección web' },
    drop: 'Suelte un archivo aquí',
    choose: 'Elegir un archivo',
    or: 'o',
    tooLarge: (max) => `Este archivo supera ${max}.`,
    text: 'Texto',
    textHint: 'Pegue filas de una tabla, o JSON.',
    url: 'Dirección web',
    urlHint: 'De un archivo o de un feed OCPI, como https://example.com/ocpi/versions',
    urlMissing: 'Escriba una dirección que empiece por https:// o http://',
    textMissing: 'Pegue primero algún texto.',
    token: 'Token de acceso',
    tokenHint: 'Si la dirección lo pide. No se vuelve a mostrar.',
    begin: 'Leer',
    sending: (percent) => `Enviando: ${percent}`,
    notSent: 'No se pudo enviar',
    tooManyOpen: (max) =>
      `${number(max)} importaciones siguen abiertas. Ejecute o descarte una de ellas abajo y vuelva a intentarlo.`,
    nothingLost: 'Lo que eligió sigue aquí. No se ha cambiado nada.',
    needsBusiness: 'Describa primero su empresa: las ubicaciones importadas pertenecen a ella.',

    // Reading
    reading: 'Leyendo…',
    found: (count) => `${sites(count)} por ahora`,
    canLeave: 'Puede cerrar esta página. La importación continúa, y la encontrará aquí.',
    cancelTitle: '¿Descartar esta importación?',
    cancelText: 'La vista previa se elimina. Sus ubicaciones quedan como están.',
    discard: 'Descartar',
    notLoaded: 'No se pudo cargar esta importación',
    listNotLoaded: 'No se pudieron cargar sus importaciones',
    gone: 'Esta importación no existe',
    goneText: (days) => `Puede que se haya descartado, o que tenga más de ${number(days)} días.`,
    back: 'A todas las importaciones',
    updatingFailed: 'Sin conexión en este momento. La importación continúa en el servidor.',

    // Columns
    mappingTitle: '¿Qué significan las columnas?',
    mappingText:
      'Lo que hemos reconocido ya está elegido. Indique qué contiene cada columna; las omitidas no se leen.',
    column: (heading) => `Columna «${heading}»`,
    noHeading: (position) => `Columna ${number(position)}`,
    leaveOut: '(omitir)',
    groups: { site: 'Ubicación', connector: 'Conector', other: 'Otros' },
    extras: {
      position: 'Latitud y longitud juntas',
      quantity: 'Número de conectores iguales',
      plugs_in_heading: 'Número de conectores del tipo del encabezado',
      tariff: 'Tarifa de nuestra propia exportación',
      own_id: 'Identificador de nuestra propia exportación',
    },
    twice: (label) => `Otra columna ya se lee como «${label}».`,
    examples: 'Valores',
    previewTitle: 'Así se leerá',
    previewNothing: 'Indique qué contiene al menos una columna.',
    mapped: (some, all) => `Se leen ${number(some)} de ${number(all)} columnas`,
    readNow: 'Leer la tabla',
    columnsRead: 'Se leen todas las columnas de la tabla',
    columnsUnread: (count) =>
      plural(count, {
        one: '1 columna de la tabla no se lee',
        other: `${number(count)} columnas de la tabla no se leen`,
      }),
    chooseColumns: 'Elegir columnas',

    // Plan
    planTitle: (source) => `Vista previa de ${source}`,
    planText: 'Todavía no se ha guardado nada.',
    actions: {
      NEW: 'Nueva',
      CHANGED: 'Cambiada',
      UNCHANGED: 'Sin cambios',
      MISSING: 'No está en el archivo',
      REFUSED: 'No se puede importar',
    },
    states: {
      PENDING: 'En espera',
      APPLIED: 'Importada',
      FAILED: 'Con error',
      SKIPPED: 'No aplicada',
      UNDONE: 'Deshecha',
      KEPT: 'Conservada',
    },
    importStates: {
      READING: 'Leyendo',
      MAPPING: 'Pendiente: columnas',
      PLANNED: 'Pendiente: vista previa',
      RUNNING: 'Importando',
      DONE: 'Importada',
      UNDOING: 'Deshaciendo',
      UNDONE: 'Deshecha',
      FAILED: 'Con error',
    },
    all: 'Todo',
    repaired: 'Corregidas',
    questions: 'Preguntas',
    doubtful: '¿Qué ubicación?',
    leftOut: 'Omitidas',
    filter: 'Filtrar la vista previa',
    search: 'Buscar por nombre o identificador',
    noRows: 'No hay coincidencias.',
    moreRows: 'Mostrar más',
    rowsNotLoaded: 'No se pudieron cargar las filas.',
    nothingToDo: 'Nada que hacer',
    nothingToDoText: 'Sus ubicaciones ya coinciden con este archivo.',
    takeAllIn: 'Incluir todas estas',
    leaveAllOut: 'Omitir todas estas',
    takeIn: (name) => `Importar ${name}`,
    changes: (count) => plural(count, { one: '1 cambio', other: `${number(count)} cambios` }),
    repairs: (count) =>
      plural(count, { one: '1 corrección', other: `${number(count)} correcciones` }),
    openQuestions: (count) =>
      plural(count, { one: '1 pregunta', other: `${number(count)} preguntas` }),
    missingTitle: (count) =>
      plural(count, {
        one: '1 de sus ubicaciones no está en este archivo',
        other: `${number(count)} de sus ubicaciones no están en este archivo`,
      }),
    missingConnectors: (count) =>
      plural(count, {
        one: '1 conector de sus ubicaciones no está en este archivo',
        other: `${number(count)} conectores de sus ubicaciones no están en este archivo`,
      }),
    keepMissing: 'Dejar todo como está',
    removeMissing: {
      sites: 'Marcarlas como cerradas definitivamente',
      connectors: 'Eliminarlos',
      both: 'Marcar las ubicaciones como cerradas definitivamente y eliminar los conectores',
    },
    waitingAnswers: (count) =>
      plural(count, {
        one: '1 ubicación necesita una respuesta',
        other: `${number(count)} ubicaciones necesitan una respuesta`,
      }),
    waitingText:
      'Sin respuesta, una ubicación se importa como está en el archivo, o se omite si no es posible.',
    showThem: 'Mostrar',
    refusedTitle: (count) =>
      plural(count, {
        one: '1 entrada no se puede importar',
        other: `${number(count)} entradas no se pueden importar`,
      }),
    refusedText:
      'En cada una se indica el motivo. Corríjalas en el archivo e impórtelo de nuevo cuando quiera.',
    allRefused: 'Nada de este archivo se puede importar',
    run: (count) => `Importar ${sites(count)}`,
    close: (count) => `Cerrar ${sites(count)}`,
    runNone: 'No importar nada',

    // Row
    line: (line) => `línea ${line}`,
    entry: (position) => `entrada ${position}`,
    plugs: (count) => plural(count, { one: '1 conector', other: `${number(count)} conectores` }),
    unnamed: 'Sin nombre',
    before: 'antes',
    after: 'después',
    nothing: 'vacío',
    notImported: 'no se importa',
    connector: (position) => `Conector ${number(position)}`,
    wholeConnector: 'Conector',
    newSite: 'Todo es nuevo:',
    changesTitle: 'Cambios',
    repairsTitle: 'Corregido',
    questionsTitle: 'Por comprobar',
    yes: 'Sí, corregirlo',
    no: 'No, es correcto así',
    sameForAll: 'La misma respuesta para todas las ubicaciones con esta pregunta',
    answered: 'Todas estas preguntas tienen respuesta.',
    needsAnswer: 'Necesita una respuesta',
    matched: {
      REFERENCE: 'Reconocida por su identificador',
      POSITION: 'Encontrada en el mismo punto',
      NEAR: 'Encontrada a menos de 25\u00A0m',
      NAME: 'Reconocida por su nombre, muy cerca',
      FEED: 'Reconocida como en la última lectura del feed',
      CHOICE: 'Elegida por usted',
    },
    whichTitle: '¿Es una de sus ubicaciones?',
    isNew: 'No, es una nueva',
    away: (distance) => `a ${distance}`,
    othersTitle: 'Hay una ubicación de otra empresa muy cerca',
    otherAt: (name, business, distance) => `${name} (${business}), a ${distance}`,
    toSite: (name) => `Abrir ${name}`,
    notChanged: 'No se pudo cambiar',

    // Run and outcome
    running: 'Importando…',
    undoing: 'Deshaciendo…',
    progress: (done, total) => `${number(done)} de ${sites(total)}`,
    doneTitle: (count) =>
      plural(count, {
        one: '1 ubicación importada',
        other: `${number(count)} ubicaciones importadas`,
      }),
    closedTitle: (count) =>
      plural(count, {
        one: '1 ubicación cerrada',
        other: `${number(count)} ubicaciones cerradas`,
      }),
    doneNothing: 'No se ha cambiado nada',
    doneSome: (failed) =>
      plural(failed, {
        one: '1 ubicación no se pudo guardar. La lista de abajo indica el motivo.',
        other: `${number(failed)} ubicaciones no se pudieron guardar. La lista de abajo indica los motivos.`,
      }),
    triedAgain:
      'Lo intentamos de nuevo cada noche; con las ubicaciones nuevas que haya importado usted, solo cuando cambien en el feed.',
    skipped: (count) =>
      plural(count, {
        one: '1 ubicación no se importó porque se cambió o se eliminó después de la vista previa',
        other: `${number(count)} ubicaciones no se importaron porque se cambiaron o se eliminaron después de la vista previa`,
      }),
    unanswered: (count) =>
      plural(count, {
        one: '1 ubicación se omitió porque falta una respuesta. Vuelva a importar el archivo para darla.',
        other: `${number(count)} ubicaciones se omitieron porque falta una respuesta. Vuelva a importar el archivo para darla.`,
      }),
    report: 'Descargar el informe',
    reportName: (day) => `informe-importacion-${day}.csv`,
    reportColumns: {
      position: 'Lugar en el archivo',
      action: 'Vista previa',
      result: 'Resultado',
      reason: 'Motivo',
      match: 'Coincidencia',
    },
    excluded: 'Omitida',
    undo: 'Deshacer esta importación',
    undoTitle: '¿Deshacer esta importación?',
    undoText:
      'Las ubicaciones nuevas se eliminan y las cambiadas recuperan sus valores anteriores. Lo que se cambió después queda como está.',
    undoneTitle: 'La importación se ha deshecho',
    kept: (count) =>
      plural(count, {
        one: '1 ubicación se cambió después y queda como está',
        other: `${number(count)} ubicaciones se cambiaron después y quedan como están`,
      }),
    failedTitle: 'No se pudo importar',
    again: 'Importar otro archivo',
    dashboard: 'A sus ubicaciones',

    // Former imports
    formerTitle: 'Sus importaciones',
    none: 'Aún no ha importado nada.',
    pasted: 'Texto pegado',
    ofFeed: 'de un feed',
    open: (source) => `Abrir la importación de ${source}`,
    what: {
      NEW: (count) => plural(count, { one: '1 nueva', other: `${number(count)} nuevas` }),
      CHANGED: (count) => plural(count, { one: '1 cambiada', other: `${number(count)} cambiadas` }),
      REFUSED: (count) =>
        plural(count, { one: '1 rechazada', other: `${number(count)} rechazadas` }),
    },
    keptFor: (days) =>
      plural(days, {
        one: 'Las importaciones se conservan 1 día.',
        other: `Las importaciones se conservan ${number(days)} días.`,
      }),

    // Feeds
    feedsTitle: 'Feeds diarios',
    feedsText:
      'Un feed es una dirección que leemos cada noche. Los cambios se aplican automáticamente, según las reglas que usted fije.',
    addFeed: 'Añadir un feed',
    feedName: 'Nombre',
    feedNameHint: 'Para reconocerlo',
    feedAdded: 'Feed añadido. Se está leyendo ahora.',
    feedRules: 'Automáticamente',
    feedRulesHint:
      'Todo lo demás le espera; le enviamos un correo. Lo que usted cambie se queda así hasta que cambie en el propio feed. Lo que elimine u omita no se vuelve a importar.',
    feedApply: {
      NEW: 'Añadir ubicaciones nuevas',
      CHANGED: 'Cambiar ubicaciones',
      MISSING: 'Marcar como cerradas las ubicaciones que ya no están en el feed',
    },
    feedStates: {
      OK: 'Todo correcto',
      NEEDS_REVIEW: 'Pendiente de revisar',
      FAILING: 'No se pudo leer',
      DEAD: 'Ilegible desde hace tiempo',
    },
    feedPaused: 'En pausa',
    lastRead: (when) => `leído ${when}`,
    neverRead: 'aún no leído',
    lastChanged: (when) => `contenido nuevo ${when}`,
    readFeed: 'Leer ahora',
    pause: 'Pausar',
    resume: 'Reanudar',
    removeFeed: 'Quitar',
    removeFeedTitle: (name) => `¿Quitar el feed ${name}?`,
    removeFeedText: 'Ya no se lee. Las ubicaciones que vinieron de él se quedan.',
    newToken: 'Token nuevo',
    saveToken: 'Guardar el token',
    tokenSaved: 'El token se ha guardado.',
    review: 'Ver la vista previa',
    settings: 'Ajustes',
    feedFor: (action, name) => `${action}: ${name}`,
    feedNotSaved: 'El feed no se guardó',

    rules: {
      voltage_between_phases: 'La tensión era la de entre fases; esta es la de fase a neutro.',
      coordinates_east_likely: 'La O de la longitud puede significar este (Ost) y no oeste.',
      coordinates_of_plugs: 'La posición no era válida; se usó la de los puntos de recarga.',
      power_in_voltage: 'Falta la potencia; probablemente figura en lugar de la tensión.',
      text_cleaned: 'Se quitaron espacios y signos sobrantes.',
      placeholder_removed: 'Se omitió un texto que solo ocupaba el lugar de un valor desconocido.',
      number_in_words: 'Un número estaba escrito con coma, unidad o separador de millares.',
      list_in_text: 'Una lista estaba escrita como texto.',
      flag_in_words: 'Sí o no estaba escrito con palabras.',
      date_spelling: 'Una fecha estaba escrita de otra manera.',
      value_spelling: 'Un valor de una lista estaba escrito de otra manera.',
      value_unknown: 'Este valor no se conoce aquí; se omitió.',
      coordinates_in_one: 'Latitud y longitud estaban en un solo valor.',
      coordinates_with_hemisphere:
        'Una coordenada estaba escrita con su hemisferio, o en grados y minutos.',
      coordinates_scaled: 'Faltaba la coma de una coordenada.',
      coordinates_swapped: 'Latitud y longitud estaban intercambiadas.',
      coordinates_swapped_likely: 'Latitud y longitud están probablemente intercambiadas.',
      coordinates_sign: 'A una coordenada le falta probablemente el signo menos.',
      country_code: 'El país era un nombre u otro código.',
      country_from_position: 'El país no era válido; se deduce de la posición.',
      country_of_position_likely: 'La posición está en un país distinto del indicado.',
      postal_code_zero: 'Faltaban ceros al principio del código postal.',
      time_zone_spelling: 'La zona horaria estaba escrita de otra manera.',
      time_zone_removed: 'La zona horaria no existe; la correcta se deduce de la posición.',
      hours_read: 'El horario estaba escrito de otra forma.',
      hours_partly_read: 'Una parte del horario no se pudo leer.',
      name_from_address: 'Faltaba el nombre; se usó la dirección o el identificador.',
      address_from_parts: 'Faltaba la dirección; se usó la localidad o la posición.',
      email_cleaned: 'Se quitó el texto que rodeaba una dirección de correo.',
      email_removed: 'La dirección de correo no es válida; se omitió.',
      phone_cleaned: 'Se quitó un prefijo como «Tel.» de un número de teléfono.',
      url_cleaned: 'Se quitó el texto que rodeaba una dirección web.',
      text_shortened: 'Un texto es demasiado largo; solo cabe su comienzo.',
      value_removed: 'El valor no se puede conservar; se omitió.',
      power_in_watts: 'La potencia estaba en W en vez de kW.',
      power_in_megawatts: 'La potencia estaba en kW donde se esperaban W.',
      power_from_current: 'Faltaba la potencia; se deduce de la tensión y la intensidad.',
      plug_usual: 'Falta el tipo de conector; este es el habitual para esta potencia.',
      power_usual: 'Falta la potencia; esta es la habitual para este tipo de conector.',
      current_type_from_standard: 'El tipo de corriente se deduce del conector.',
      current_type_from_power:
        'Faltaba el tipo de corriente; se deduce del conector y de la potencia.',
      format_from_standard: 'Faltaba si es toma o cable; se deduce del conector.',
      electrical_value_removed: 'Una tensión o una intensidad es imposible; se omitió.',
      evse_id_spelling: 'El identificador de un punto de recarga estaba escrito de otra manera.',
      reference_shortened: 'Un identificador era demasiado largo; se acortó.',
      duplicate_reference: 'Dos conectores tenían el mismo identificador; se quitó del segundo.',
      connector_left_out: 'Se omitió un conector de tipo o potencia desconocidos.',
      tariff_left_out: 'Se omitió una tarifa que no se puede conservar.',
      tariff_missing: 'La tarifa a la que se hace referencia no está en el archivo.',
    },
    problems: {
      excel_old_or_encrypted:
        'Es un libro de Excel anterior a 2007, o con contraseña; guárdelo como .xlsx sin contraseña.',
      table_empty: 'La tabla tiene títulos, pero ninguna fila.',
      source_without_stations: 'No contiene ninguna ubicación de recarga.',
      record_not_location: 'Esta entrada no es una ubicación de recarga.',
      position_same: 'Latitud y longitud son el mismo número, <value>.',
      position_at_sea: 'La posición está en el mar, pero el país indicado es <stated>.',
      url_token_needs_https: 'Un token solo se envía a direcciones que empiezan por https://.',
      source_empty: 'Está vacío.',
      source_is_page:
        'Es una página web, no un archivo: quizá la dirección haya cambiado o pida iniciar sesión.',
      format_unknown:
        'Este formato no se puede leer; guárdelo como CSV o Excel, o un mapa como GeoJSON.',
      json_invalid: 'A partir del carácter <position> no es JSON válido.',
      json_unexpected: 'No es JSON válido: «<found>», en el carácter <position>, no va ahí.',
      json_cut_off: 'El JSON termina demasiado pronto, tras <position> caracteres.',
      xml_invalid: 'A partir de la línea <line> no es XML válido.',
      json_too_deep: 'Tiene más de <max> niveles anidados.',
      compressed_damaged: 'El archivo comprimido está dañado o incompleto.',
      archive_damaged: 'El archivo comprimido está dañado o incompleto.',
      archive_encrypted:
        'El archivo comprimido está protegido con contraseña; descomprímalo primero.',
      archive_too_large: 'Descomprimido supera <max>.',
      archive_too_many_files: 'Contiene más de <max> archivos.',
      workbook_too_costly:
        'Leer este libro requiere demasiada memoria o demasiado tiempo; guarde la hoja como CSV.',
      archive_without_data: 'No contiene ni una tabla ni ubicaciones de recarga.',
      archive_of_several: 'Contiene varios archivos; descomprímalo e impórtelos uno tras otro.',
      table_damaged: 'A partir de la línea <line> no es una tabla válida.',
      quote_not_closed: 'Hay una comilla sin cerrar; la última línea leída es la <line>.',
      source_too_large: 'Supera <max>.',
      record_not_object: 'Esta entrada no se puede leer.',
      record_too_large: 'Esto supera <max>.',
      record_too_many_values: 'Esto tiene más de <max> valores.',
      sheet_not_read: 'La hoja «<sheet>» no se ha leído; guárdela en un archivo aparte.',
      row_too_wide: 'Esta fila tiene más de <max> columnas.',
      row_with_extra_cells:
        'Esta fila tiene más celdas que títulos. Si un valor contiene el separador, póngalo entre comillas.',
      name_and_address_missing: 'No se indica ni nombre ni dirección.',
      id_of_several_sites:
        'El identificador <value> pertenece a varias ubicaciones; dé a cada una el suyo.',
      position_missing: 'No se indica ninguna posición.',
      position_unreadable:
        'No se puede leer ninguna posición en «<value>»; indíquela en grados, por ejemplo 48,8566.',
      position_zero: 'La posición es 0, 0: un valor de relleno, en el mar.',
      position_impossible: '<latitude>, <longitude> no es una posición en la Tierra.',
      position_outside_country:
        'Según la posición, el país es <found>, pero el indicado es <stated>.',
      connectors_invalid: 'Ninguno de sus conectores tiene tipo y potencia conocidos.',
      connectors_too_many: 'Tiene más de <max> conectores.',
      value_missing: 'Falta: <field>.',
      value_invalid: 'Un valor no se puede conservar.',
      answer_needed: 'Responda primero a la pregunta sobre este campo: <field>.',
      url_invalid: 'No es una dirección web que empiece por https:// o http://.',
      url_private: 'La dirección lleva a una red privada.',
      url_not_found: 'El servidor <host> no existe.',
      url_unreachable: '<host> no responde.',
      url_too_slow: '<host> tarda demasiado en responder.',
      url_refused: '<host> responde con el estado <status>.',
      url_unauthorized: '<host> no acepta el token.',
      url_too_many_redirects: '<host> redirige más de <max> veces.',
      url_too_many_pages: 'El feed tiene más de <max> páginas.',
      url_incomplete: '<host> dice que tiene <total> entradas, pero no las da todas.',
      url_insecure_certificate: 'El certificado de <host> no es válido.',
      url_without_locations: '<host> no ofrece «locations» de OCPI.',
      match_doubtful: 'Puede que sea una ubicación que ya existe: elíjala, o diga que es nueva.',
      unchanged_in_feed:
        'El feed ya contenía esto. Desde entonces se cambió, se eliminó o se omitió; seguirá así si no lo selecciona.',
      perhaps_left_out:
        'Puede que sea una ubicación eliminada u omitida, con otro identificador. Solo se importa si la selecciona.',
      site_taken: 'Otra fila del archivo se refiere a la misma ubicación.',
      changed_since_plan:
        'La ubicación se cambió después de esta vista previa; por eso no se importó.',
      changed_since_run: 'Se cambió después de la importación; por eso no se deshizo.',
      partly_changed_since_run:
        'Una parte se cambió después de la importación y queda como está; el resto se deshizo.',
      site_gone: 'La ubicación ya no existe.',
      tariff_gone: 'Su tarifa se eliminó después de esta vista previa; impórtela de nuevo.',
      tariffs_too_many: 'Sus conectores tienen más de <max> precios distintos.',
      fields_invalid: 'Algunos valores no se pueden guardar.',
      many_missing:
        'Faltan <count> de las <total> ubicaciones de este feed. Tantas solo se cierran si usted lo confirma en la vista previa.',
      too_many_rows: 'Tiene más de <max> ubicaciones de recarga.',
      file_gone: 'El archivo ya no está; súbalo de nuevo.',
      interrupted: 'Se interrumpió <count> veces seguidas; inténtelo más tarde.',
    },
  },
} satisfies Catalogue['imports']
