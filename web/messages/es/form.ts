import { counts, megabytes, millions, plurals, texts } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')
const text = texts('es')

/** The forms, in Spanish. */
export default {
  // Form
  form: {
    optional: 'opcional',
    saving: 'Guardando…',
    stalled: 'No llega nada al servidor. Puede que la conexión sea demasiado débil.',
    problems: (count) =>
      plural(count, { one: 'Hay 1 problema', other: `Hay ${number(count)} problemas` }),
    problemOf: (label, problem) => `${label}: ${problem}`,
    problemsText: 'Corrija lo siguiente y guarde de nuevo:',
    notSaved: 'Sus cambios siguen aquí. Inténtelo de nuevo.',
    partlySaved: 'La ubicación está guardada, pero algunos conectores no. Están marcados abajo.',
    remaining: (count) =>
      plural(count, { one: 'queda 1 carácter', other: `quedan ${number(count)} caracteres` }),
    publicHint: 'Público: lo leen registros y socios.',
    tooLong: (count) =>
      plural(count, { one: 'sobra 1 carácter', other: `sobran ${number(count)} caracteres` }),
    photoUnreadable: (name) => `${name} no se puede leer como imagen.`,
    photoHeic: (name) =>
      `${name} es una foto HEIC que este navegador no puede leer. En el teléfono, compártala o expórtela como JPEG y añádala de nuevo.`,
  },
  required: {
    name: 'Escriba un nombre',
    address: 'Escriba la dirección',
    latitude: 'Escriba la latitud',
    longitude: 'Escriba la longitud',
    status: 'Elija un estado',
    standard: 'Elija el tipo de conector',
    format: 'Elija cable o toma',
    current_type: 'Elija la corriente',
    kw_rating: 'Escriba la potencia en kW',
    password: 'Escriba una contraseña nueva',
    passwordConfirm: 'Escriba otra vez la misma contraseña',
  },
  fieldErrors: {
    validation_required: () => 'Rellene este campo',
    validation_min_text_constraint: (p) => `Use al menos ${text(p, 'min')} caracteres`,
    validation_max_text_constraint: (p) => `Use como máximo ${text(p, 'max')} caracteres`,
    validation_length_too_long: (p) => `Se permiten como máximo ${text(p, 'max')}`,
    validation_invalid_format: (p) =>
      'example' in p
        ? `Escríbalo así: ${text(p, 'example')}`
        : 'Hay caracteres que no se pueden usar aquí',
    validation_is_email: () => 'Escriba un correo como nombre@example.com',
    validation_invalid_url: () => 'Escriba una dirección web como example.com',
    validation_not_a_number: () => 'Escriba un número',
    validation_only_int_constraint: () => 'Escriba un número entero',
    validation_min_number_constraint: (p) => `Escriba ${text(p, 'min')} o más`,
    validation_max_number_constraint: (p) => `Escriba ${text(p, 'max')} o menos`,
    validation_above_number_constraint: (p) => `Escriba más de ${text(p, 'above')}`,
    validation_invalid_value: () => 'Elija uno de los valores ofrecidos',
    validation_too_many_values: (p) => `Elija como máximo ${text(p, 'maxSelect')}`,
    validation_invalid_json: () => 'Esto no se puede leer',
    validation_json_size_limit: () => 'Es demasiado grande para guardarlo',
    validation_json_shape: () => 'Una parte no es correcta',
    validation_missing_rel_records: () => 'El elemento al que pertenece ya no existe',
    validation_too_many_referring: (p) => `Se ha alcanzado el límite de ${text(p, 'max')}`,
    validation_too_many_distinct: (p) => `Use como máximo ${text(p, 'max')} distintos`,
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} supera ${megabytes('es', p, 'maxSize')} MB`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} no es una imagen utilizable (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} tiene más de ${millions('es', p, 'maxPixels')} millones de píxeles. Redúzcala o expórtela como JPEG`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} es demasiado grande: el lado más largo puede tener ${text(p, 'maxSide')} píxeles`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} contiene más de ${megabytes('es', p, 'maxSize')} MB de metadatos. Expórtela sin metadatos`,
    validation_too_many_files: (p) => `Elija como máximo ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) =>
      `Estos archivos no se pudieron usar: ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'Esto ya existe',
    validation_record_in_use: () => 'Esto todavía se usa',
    validation_values_mismatch: () => 'Los dos valores son distintos',
    validation_length_out_of_range: (p) =>
      `Use de ${text(p, 'min')} a ${text(p, 'max')} caracteres`,
    validation_in_invalid: () => 'Elija uno de los valores ofrecidos',
    validation_max_less_equal_than_required: (p) => `Elija ${text(p, 'threshold')} o menos`,
    validation_invalid_token: () => 'Este enlace ya no es válido',
    validation_invalid_token_claims: () => 'Este enlace está incompleto',
    validation_token_collection_mismatch: () => 'Este enlace es de otro tipo de cuenta',
    validation_token_email_mismatch: () => 'Este enlace es de otra dirección de correo',
  },

  // Site
  site: {
    notFoundTitle: 'Esta ubicación ya no existe',
    notFound: 'Puede que se haya eliminado en otro dispositivo.',
    deletedTitle: 'Esta ubicación se ha eliminado en otro dispositivo.',
    deletedText: (photos: number) =>
      photos === 0
        ? 'Lo que escribió sigue aquí.'
        : 'Lo que escribió sigue aquí. Las fotos guardadas se han eliminado.',
    addAnother: 'Guardar y añadir otra parecida',
    addAgain: 'Añadirla como ubicación nueva',
    chooseTitle: '¿Qué ubicación quiere editar?',
    whereTitle: '¿Dónde está?',
    addressHint: 'Calle, número, código postal y localidad.',
    useLocation: 'Usar mi posición',
    locating: 'Buscando su posición…',
    located: (metres) => `Posición tomada, con una precisión de unos ${metres} m.`,
    locationDenied: 'Este navegador no permite leer la posición. Escriba o pegue las coordenadas.',
    locationFailed: 'No se encontró su posición. Escriba o pegue las coordenadas.',
    needsPosition:
      'Indique la posición: elija una dirección, use su posición o escriba las coordenadas',
    coordinatesHint:
      'Pegue un par como «55,2044; -6,6531» o un enlace de mapa en cualquiera de los campos: se rellenan los dos.',
    pastedBoth: 'Las dos coordenadas están rellenadas.',
    shortLink:
      'Los enlaces cortos no contienen la posición. Abra el enlace y copie la dirección de la barra.',
    detailsTitle: 'Detalles',
    nameHint: 'Lo que buscan los viajeros, como el nombre del cartel.',
    statusHints: {
      AVAILABLE: 'Se puede cargar ahora',
      PLANNED: 'Aún sin construir o sin conectar',
      INOPERATIVE: 'Cerrado por ahora, no averiado',
      OUTOFORDER: 'Averiado, hay que repararlo',
      REMOVED: 'No volverá',
    },
    statusByMachine: 'Lo indica el cargador. Se mantiene hasta que elija otro estado.',
    capacityHint: 'Cuántos vehículos pueden cargar a la vez.',
    chargePoints: (count: number) =>
      plural(count, { one: '1 punto de recarga', other: `${number(count)} puntos de recarga` }),
    capacityDoubt: (vehicles, plugs) => `${vehicles} con ${plugs}. ¿Es correcto?`,
    fewer: 'Uno menos',
    more: 'Uno más',
    costHint: 'Con sus palabras.',
    costSuggestions: ['Gratis', 'Gratis para clientes'],
    takeSuggestion: (value) => `Usar «${value}»`,
    preview: 'Verlo como un viajero',
    previewTitle: 'Así lo ve un viajero',
    closePreview: 'Cerrar',
    confirm: 'Confirmar estos datos',
    confirmed: (day: string) => `Confirmado por usted el ${day}`,
    confirmThanks: 'Gracias. Los viajeros ven que los ha confirmado hoy.',
    contactTitle: 'Contacto',
    contactHint: 'Los viajeros ven ambos.',
    sections: {
      hours: { title: 'Horario de apertura', hint: 'Las 24 horas o por días de la semana' },
      price: { title: 'Precio', hint: 'Cuánto cuesta y cómo se paga' },
      more: {
        title: 'Conviene saber',
        hint: 'Acceso, aparcamiento, servicios, dirección detallada',
      },
    },
    add: 'Añadir ubicación',
    save: 'Guardar cambios',
    saved: (name) => `${name} guardada`,
  },

  // Location
  location: {
    addressHint:
      'Escriba para buscar. También se entienden coordenadas y enlaces de aplicaciones de mapas.',
    addressHintPlain:
      'Calle, número, código postal y localidad. También se entienden coordenadas y enlaces de aplicaciones de mapas.',
    suggestions: 'Direcciones',
    found: (count) =>
      plural(count, {
        one: '1 dirección encontrada. Elija con las flechas e Intro.',
        other: `${number(count)} direcciones encontradas. Elija con las flechas e Intro.`,
      }),
    foundNone: 'No se ha encontrado ninguna dirección.',
    useTyped: 'Usar exactamente lo que he escrito',
    takeCoordinates: (pair) => `Usar las coordenadas ${pair}`,
    searchDown:
      'No se puede acceder a la búsqueda de direcciones. Escriba la dirección e indique la posición más abajo.',
    searchBusy: 'Demasiadas búsquedas. Siga escribiendo; en un minuto volverá a haber sugerencias.',
    linkWithoutPlace: 'Este enlace no contiene ninguna posición. Ábralo y copie las coordenadas.',
    following: 'Abriendo el enlace…',
    addressFound: 'La dirección se ha deducido de ella. Compruébela.',
    takeAddress: (address) => `Usar la dirección ${address}`,
    addressPosition: 'Dirección y coordenadas rellenadas.',
    openMap: 'Indicar en un mapa',
    adjustMap: 'Ajustar en un mapa',
    mapTitle: 'Indicar la posición',
    mapHelp: 'Mueva el mapa hasta que el marcador esté sobre los cargadores.',
    mapKeys: 'Las flechas mueven el mapa, + y − cambian la escala.',
    mapLabel: 'Mapa bajo un marcador fijo',
    withoutMap: 'Escriba o pegue las coordenadas.',
    usePosition: 'Usar esta posición',
    closeMap: 'Cerrar el mapa',
    positionTaken: 'Posición tomada del mapa.',
  },

  // Connectors
  format: { SOCKET: 'Toma: traiga su cable', CABLE: 'Con cable' },
  currentType: {
    AC_1_PHASE: 'AC, monofásica',
    AC_2_PHASE: 'AC, dos de tres fases',
    AC_2_PHASE_SPLIT: 'AC, fase partida (Norteamérica)',
    AC_3_PHASE: 'AC, trifásica',
    DC: 'DC',
  },
  connectors: {
    title: 'Conectores',
    hint: 'Una fila por tipo de conector, con la cantidad.',
    addPreset: 'Añadir un conector',
    otherPreset: 'Otro…',
    presetLabel: (label) => `Añadir ${label}`,
    none: 'Aún sin conectores. Elija uno arriba.',
    position: (position) => `Conector ${position}`,
    blank: 'Conector nuevo',
    quantity: (position) => `Cantidad del conector ${position}`,
    fewer: (position) => `Uno menos del conector ${position}`,
    more: (position) => `Uno más del conector ${position}`,
    quantityLimits: (max) => `Escriba de 1 a ${number(max)}. Los demás van en otra fila.`,
    ownChargePoint: 'Uno propio cada uno',
    sharedWith: (position: number, plugs: string) =>
      `Compartido con el conector ${position}: ${plugs}`,
    oneAtATime: (points: string, plugs: string) => `${points}: ${plugs}, solo uno a la vez`,
    chargePointsTitle: 'Puntos de recarga',
    separate: (plugs: string) => (plugs === '' ? 'Separar' : `Separar: ${plugs}`),
    chargePointHint: 'De los conectores de un punto de recarga solo se usa uno a la vez.',
    moreTitle: 'Más datos',
    moreHint: 'Tarifa propia, identificadores, tensión, intensidad',
    numbered: (position) => `N.º ${number(position)}`,
    sameAsSite: 'La de la ubicación',
    pasteList: 'Pegue una lista para rellenar varios a la vez.',
    duplicate: (position) => `Duplicar conector ${position}`,
    remove: (position) => `Quitar conector ${position}`,
    removed: (what) => `Quitado: ${what}`,
    done: 'Listo',
    choose: 'Elegir…',
    search: 'Buscar por nombre',
    common: 'Habituales',
    others: 'Todos los demás',
    noMatch: 'Ningún conector se llama así.',
    notSaved: 'No se guardó.',
    someNotSaved: (failed, total) =>
      plural(failed, {
        one: `No se guardó 1 de ${number(total)}.`,
        other: `No se guardaron ${number(failed)} de ${number(total)}.`,
      }),
    warnings: {
      power: (kw) => `¿Son correctos ${kw} kW?`,
      powerOfPlug: (kw, plug, max) => `${plug} rara vez supera ${max} kW. ¿Son correctos ${kw} kW?`,
      dcOnly: (plug) => `${plug} carga con corriente continua (DC). ¿Es correcta la corriente?`,
      acOnly: (plug) => `${plug} carga con corriente alterna (AC). ¿Es correcta la corriente?`,
      currentOfPlug: (plug, usual) => `${plug} suele ir con ${usual}. ¿Es correcta la corriente?`,
      currentOfPower: (kw, usual) => `${kw} kW suele ir con ${usual}. ¿Es correcta la corriente?`,
      cable: (plug) => `${plug} suele tener cable. ¿Es correcta la toma?`,
      socket: (plug) => `${plug} suele ser una toma. ¿Es correcto el cable?`,
    },
  },

  // Photos
  photos: {
    hint: 'La primera es la portada y sale en la lista. Muestre la entrada, las plazas, los conectores y el cartel.',
    dropHint: 'También puede soltar fotos aquí o pegarlas.',
    dropHere: 'Suelte las fotos aquí',
    choose: 'Elegir fotos',
    take: 'Hacer una foto',
    count: (count, max) => `${count} de ${max}`,
    photo: (position) => `Foto ${position}`,
    newPhoto: (name) => `Nueva: ${name}`,
    cover: 'Portada',
    category: (label) => `Qué muestra: ${label}`,
    noCategory: '¿Qué muestra?',
    makeCover: (label) => `Usar como portada: ${label}`,
    moveLeft: (label) => `Mover a la izquierda: ${label}`,
    moveRight: (label) => `Mover a la derecha: ${label}`,
    moved: (label, position, count) => `${label} está ahora en la posición ${position} de ${count}`,
    remove: (label) => `Quitar: ${label}`,
    willGo: 'Se quita al guardar',
    willNotCome: 'No se añadirá',
    undo: (label) => `Deshacer la eliminación: ${label}`,
    tooMany: (max) => `Una ubicación puede tener ${max} fotos. Las demás se dejaron fuera.`,
    tooLarge: (name, limit) =>
      `${name} supera los ${limit} MB incluso reducida. Se ha dejado fuera.`,
    preparing: 'Preparando…',
    waiting: 'En espera…',
    uploading: (percent) => `Subiendo: ${percent}`,
    processing: 'Guardando…',
    done: 'Subida',
    failed: 'No se guardó.',
    retry: (label) => `Reintentar: ${label}`,
    progress: (done, total) => `${done} de ${total} fotos subidas`,
    progressOfAll: (percent) => `Subiendo fotos: ${percent} %`,
    partlySaved:
      'Todo lo demás está guardado. Las fotos que faltan están marcadas abajo; inténtelo de nuevo.',
    position: (name, place) => `${name} se hizo en ${place}.`,
    usePosition: 'Usar la posición de esta foto para el marcador',
    ignorePosition: 'No, gracias',
    positionUsed: 'El marcador está donde se hizo la foto.',
    positionPrivacy: 'La posición no se envía con la foto.',
  },
} satisfies Catalogue['form']
