import { fields, records } from '#domain/labels/es/records.ts'
import type { PublicNeed } from '#domain/publication.ts'
import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')
const list = lists('es')

/** The screens of owners, in Spanish. */
export default {
  // Dashboard
  dashboard: {
    sites: (count) => plural(count, { one: '1 ubicación', other: `${number(count)} ubicaciones` }),
    sitesTitle: 'Ubicaciones',
    addSite: 'Añadir ubicación',
    editBusiness: 'Editar empresa',
    website: (host) => `${host} (se abre en otra pestaña)`,
    searchLabel: 'Buscar en sus ubicaciones',
    searchPlaceholder: 'Nombre, dirección o conector',
    clearSearch: 'Borrar la búsqueda',
    filterLabel: 'Filtrar por estado',
    all: 'Todas',
    shown: (some, all) => `Se muestran ${number(some)} de ${number(all)} ubicaciones`,
    noMatch: (query) => `Ninguna ubicación coincide con «${query}»`,
    noMatchFilter: 'Ninguna ubicación coincide con este filtro',
    clear: 'Mostrar todas',
    noBusinessTitle: 'Empiece por su empresa',
    noBusiness: '¿Quién opera los cargadores? Después vienen las ubicaciones.',
    addBusiness: 'Añadir su empresa',
    noSitesTitle: 'Añada su primera ubicación',
    noSites:
      'Una ubicación es un lugar con uno o más cargadores. Necesita su dirección y los tipos de conector.',
    addFirstSite: 'Añadir una ubicación',
    stepsTitle: 'Primeros pasos',
    steps: ['Iniciar sesión', 'Describir su empresa', 'Añadir su primera ubicación'],
    stepDone: 'hecho',
    stepNow: 'siguiente',
    stale: 'Puede que esto no esté al día: no se pudieron cargar los datos más recientes.',
    slow: 'Está tardando más de lo habitual. Puede que la conexión sea demasiado débil.',
    unfinished: 'Sin terminar',
    unnamedSite: 'Nueva ubicación',
    draftOf: (name: string) => `Borrador: ${name}`,
    draftDiscarded: (name: string) => `Borrador de ${name} descartado.`,
    saving: (name: string) => `Guardando ${name}…`,
    updating: (when) => `Datos guardados (${when}), actualizando…`,
    menu: (name) => `Acciones para ${name}`,
    copyCoordinates: 'Copiar coordenadas',
    copied: 'Coordenadas copiadas',
    copyFailed: 'No se pudieron copiar las coordenadas',
    openInMaps: 'Abrir en el mapa',
    deleteTitle: (name) => `¿Eliminar ${name}?`,
    deleteText: (connectors, photos) => {
      const parts = [
        ...(connectors > 0
          ? [
              plural(connectors, {
                one: 'su conector',
                other: `sus ${number(connectors)} conectores`,
              }),
            ]
          : []),
        ...(photos > 0
          ? [plural(photos, { one: 'su foto', other: `sus ${number(photos)} fotos` })]
          : []),
      ]
      return parts.length === 0
        ? 'Puede deshacerlo durante 8 segundos.'
        : `También se ${connectors + photos === 1 ? 'elimina' : 'eliminan'} ${parts.join(' y ')}. Puede deshacerlo durante 8 segundos.`
    },
    noConnectors: 'Aún sin conectores',
    logoOf: (name) => `Logotipo de ${name}`,
    photoOf: (name) => `Foto de ${name}`,
    count: (value) => number(value),
    needsAttention: 'Requiere atención',
    attention: (value) =>
      plural(value, { one: '1 requiere atención', other: `${number(value)} requieren atención` }),
    sortLabel: 'Ordenar por',
    sorts: {
      created: 'Las más antiguas primero',
      '-created': 'Las más nuevas primero',
      name: 'Nombre, de la A a la Z',
      '-name': 'Nombre, de la Z a la A',
      status: 'Estado, problemas primero',
      '-status': 'Estado, problemas al final',
      connectors: 'Menos conectores',
      '-connectors': 'Más conectores',
      power: 'Menor potencia',
      '-power': 'Mayor potencia',
      capacity: 'Menos vehículos a la vez',
      '-capacity': 'Más vehículos a la vez',
      cost: 'Precio, ascendente',
      '-cost': 'Precio, descendente',
    },
    layoutLabel: 'Vista',
    list: 'Lista',
    table: 'Tabla',
    export: 'Exportar como CSV',
    fileName: 'ubicaciones',
    columns: {
      name: 'Ubicación',
      status: 'Estado',
      capacity: 'Vehículos',
      cost: 'Precio',
      connectors: 'Conectores',
      plugs: 'Tipos de conector',
      power: 'Potencia',
      powerKw: 'Potencia en kW',
      id: 'ID',
      actions: 'Acciones',
    },
    duplicate: 'Duplicar',
    copyName: (name) => `${name} (copia)`,
    share: 'Compartir',
    shareCopied: 'Copiado: nombre, dirección y enlace al mapa',
    shareFailed: 'No se pudo compartir',
    hints: {
      photo: 'Añada una foto: muestra cómo es el lugar',
      cost: 'Indique un precio: los viajeros lo buscan',
      contact: 'Añada un correo o un teléfono para consultas',
    },
    dismissHint: (hint) => `No volver a sugerir: ${hint}`,
    unsaved: (value) =>
      plural(value, {
        one: '1 conector sin guardar',
        other: `${number(value)} conectores sin guardar`,
      }),
    errorDetails: 'Detalles',
    noAnswer: 'El servidor no respondió.',
    answeredWith: (status) => `El servidor respondió con el estado ${status}.`,
    showMap: 'Mostrar mapa',
    hideMap: 'Ocultar mapa',
    choose: 'Seleccionar',
    chooseSite: (name) => `Seleccionar ${name}`,
    mapHint: 'Elija un marcador para ver aquí su ubicación',
    savedHidden: (name) =>
      `«${name}» no coincide con la búsqueda o el filtro y por eso no aparece en esta lista`,
    lackLabel: 'Filtrar por lo que falta',
    lackNothing: 'Falta…',
    lacks: {
      photo: 'Sin foto',
      cost: 'Sin precio',
      connectors: 'Sin conector',
      contact: 'Sin contacto',
    },
    similar: (query) => `Ninguna ubicación contiene «${query}». Estas se parecen.`,
    statusOf: (name, status) => `Estado de ${name}: ${status}`,
    statusSet: (name, status) => `${name}: ${status}`,
    unnamedBusiness: 'Su empresa',
    reports: (count) =>
      plural(count, { one: '1 aviso de viajeros', other: `${number(count)} avisos de viajeros` }),
  },

  fields,
  publication: {
    public: 'En el mapa público',
    planned: 'En el mapa público como «próximamente»',
    unpublished: 'No está en el mapa público',
    removed: 'Cerrado definitivamente: no está en el mapa público',
    incomplete: (what: readonly string[]) =>
      `Todavía no está en el mapa público; falta: ${list(what)}`,
    hidden: (reason: string) =>
      reason === ''
        ? 'Ocultada por la administración'
        : `Ocultada por la administración: ${reason}`,
    needs: { connectors: 'un conector', business: 'el nombre de su empresa' } satisfies Record<
      PublicNeed,
      string
    >,
  },
  photoCategories: {
    CHARGER: 'Cargador',
    ENTRANCE: 'Entrada',
    LOCATION: 'Vista general',
    OTHER: 'Otra cosa',
  },
  records,

  // Drafts
  drafts: {
    kept: (when) => `Hemos guardado su borrador (${when})`,
    keptText: 'Todo está de nuevo en el formulario, tal como lo dejó.',
    lostFiles: (count) =>
      plural(count, {
        one: 'No se pudo guardar 1 imagen. Añádala de nuevo.',
        other: `No se pudieron guardar ${number(count)} imágenes. Añádalas de nuevo.`,
      }),
    continue: 'Continuar',
    startFresh: 'Empezar de nuevo',
    savedAt: (time) => `Borrador guardado a ${/^0?1:/.test(time) ? 'la' : 'las'} ${time}`,
    notKept: 'No se pudo guardar el borrador en este dispositivo',
    filesNotKept: 'No se pudieron guardar las imágenes de este borrador en este dispositivo',
    changes: (count) => plural(count, { one: '1 cambio', other: `${number(count)} cambios` }),
    discard: 'Descartar',
    discarded: 'Cambios descartados.',
    keptAsDraft: 'Su borrador se conserva. Lo encontrará en el panel.',
    keepNow: 'Guardar en este dispositivo y enviar más tarde',
    sendLater: 'Guardar para enviar después',
    keptForLater: (name) => `${name} queda en este dispositivo y se enviará cuando haya conexión.`,
    laterFailedTitle: 'No se pudo guardar para enviarlo después.',
    laterFailed:
      'A este dispositivo no le queda espacio o no lo permite. Deje esta página abierta hasta que vuelva la conexión.',
    waiting: 'Pendiente de envío',
    waitingText:
      'Está guardado en este dispositivo y se enviará cuando haya conexión. Todavía puede cambiarlo.',
    savedData: (when) => `Se muestran datos guardados (${when})`,
    justNow: 'ahora mismo',
    changedRemotely: (ago) => `Cambiado en otro dispositivo, ${ago}`,
    choose: 'Esto se cambió aquí y en otro dispositivo. Elija qué conservar:',
    merged: (parts) => `Actualizado desde el otro dispositivo: ${list(parts)}.`,
    photos: (count) => plural(count, { one: '1 foto', other: `${number(count)} fotos` }),
    mine: 'Este dispositivo',
    theirs: 'Otro dispositivo',
    keepMine: 'Conservar esta versión',
    takeTheirs: 'Usar la otra',
    nothing: 'vacío',
    removed: 'eliminado',
  },

  otherStandard: {
    DOMESTIC_A: 'Doméstico tipo A',
    DOMESTIC_B: 'NEMA 5-15 (tipo B)',
    DOMESTIC_C: 'Europlug (tipo C)',
    DOMESTIC_D: 'Doméstico tipo D',
    DOMESTIC_E: 'Toma francesa (tipo E)',
    DOMESTIC_F: 'Schuko (tipo F)',
    DOMESTIC_G: 'Toma británica (tipo G)',
    DOMESTIC_H: 'Doméstico tipo H',
    DOMESTIC_I: 'Toma australiana (tipo I, AS 3112)',
    DOMESTIC_J: 'Toma suiza (tipo J, T13)',
    DOMESTIC_K: 'Doméstico tipo K',
    DOMESTIC_L: 'Doméstico tipo L',
    DOMESTIC_M: 'Doméstico tipo M',
    DOMESTIC_N: 'Doméstico tipo N',
    DOMESTIC_O: 'Doméstico tipo O',
    IEC_60309_2_single_16: 'CEE azul 16 A, 1 fase',
    IEC_60309_2_three_16: 'CEE rojo 16 A, 3 fases',
    IEC_60309_2_three_32: 'CEE rojo 32 A',
    IEC_60309_2_three_64: 'CEE rojo 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Pantógrafo de bus (hacia arriba)',
    PANTOGRAPH_TOP_DOWN: 'Pantógrafo de bus (hacia abajo)',
  },
  positionWarnings: {
    far: (distance) => `A ${distance} de la dirección elegida`,
    farHint: 'Está bien si los cargadores se encuentran realmente allí.',
    toAddress: 'Llevar el marcador a la dirección',
    sea: 'Esta posición está en el mar',
    seaHint:
      'Compruebe los signos menos y si falta alguna cifra. Las islas pequeñas no están en nuestro mapa: si está en una, ignore este aviso.',
    swapped: 'La latitud y la longitud parecen intercambiadas',
    swappedHint: 'Al revés, esta posición tiene más sentido.',
    swap: 'Intercambiarlas',
    near: (name, distance) => `Ya tiene «${name}», a ${distance} de aquí`,
    nearHint: 'Una ubicación reúne todos los conectores de un lugar.',
    editNear: (name) => `Editar «${name}» en su lugar`,
    otherNear: (distance) => `Hay una ubicación de otra empresa a ${distance} de aquí`,
    otherNearHint: (name, business) =>
      `«${name}» (${business}). Si la suya es otra, siga adelante.`,
    seeOther: 'Verla',
  },
} satisfies Catalogue['owner']
