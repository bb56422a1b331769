import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** The guest screens and the terms shared by all screens, in Spanish. */
export default {
  // Core
  titles: {
    home: (product) => `Añadir una estación de recarga a ${product}`,
    login: (product) => `Iniciar sesión en ${product}`,
    dashboard: 'Panel',
    map: 'Buscar un cargador',
    addSite: 'Añadir una ubicación',
    editSite: 'Editar la ubicación',
    addBusiness: 'Añadir los datos de su empresa',
    editBusiness: 'Editar los datos de su empresa',
    newPassword: 'Elegir una contraseña nueva',
    confirmAddress: 'Confirmar su dirección',
    account: 'Su cuenta',
    prices: 'Tarifas',
    addPrice: 'Añadir una tarifa',
    editPrice: 'Editar la tarifa',
    changes: 'Historial',
    report: 'Avisar al operador',
    reports: 'Avisos de viajeros',
    open: 'Datos abiertos',
    import: 'Importar ubicaciones',
    notFound: 'Página no encontrada',
  },
  shell: {
    skip: 'Ir al contenido',
    website: (product) => `Sitio web de ${product} (se abre en otra pestaña)`,
    back: 'Atrás',
    login: 'entrar',
    logout: 'Cerrar sesión',
    account: 'Sesión iniciada',
    scrollToTop: 'Ir arriba',
    offline:
      'No tiene conexión. Lo que guarde queda en este dispositivo y se enviará cuando vuelva la conexión.',
    newVersion: 'Hay una versión nueva lista.',
    language: 'Idioma',
    shortcuts: 'Atajos de teclado',
    notifications: 'Mensajes',
    loading: 'Cargando…',
    unsentTitle: '¿Cerrar sesión de todos modos?',
    unsent: (count) =>
      plural(count, {
        one: '1 cambio aún no ha llegado al servidor. Al cerrar la sesión se borra de este dispositivo.',
        other: `${number(count)} cambios aún no han llegado al servidor. Al cerrar la sesión se borran de este dispositivo.`,
      }),
    lostDrafts: (count) =>
      plural(count, {
        one: 'Lo que ha escrito en 1 formulario solo está en este dispositivo. Al cerrar la sesión se borra.',
        other: `Lo que ha escrito en ${number(count)} formularios solo está en este dispositivo. Al cerrar la sesión se borra.`,
      }),
    stay: 'Seguir conectado',
    expiredTitle: 'Se ha cerrado su sesión',
    expired:
      'Su sesión ha terminado. Inicie sesión de nuevo en otra pestaña y vuelva aquí. No se pierde nada de lo que escribió.',
    signInAgain: 'Iniciar sesión de nuevo',
    close: 'Cerrar',
    deleted: (name) => `${name} eliminado`,
  },
  links: {
    help: 'Ayuda',
    privacy: 'Privacidad',
    terms: 'Condiciones de uso',
    imprint: 'Aviso legal',
  },
  crash: {
    title: 'Algo ha fallado en esta página',
    text: 'Recargar suele bastar.',
    reload: 'Recargar',
    dashboard: 'Volver al panel',
    missing: 'No se pudo cargar esta parte de la página.',
    offline: 'Esta página aún no se ha cargado. Se abrirá en cuanto haya conexión.',
  },
  notFound: {
    title: 'Esta página no existe',
    text: 'Puede que la dirección esté mal escrita o que la página se haya movido.',
    dashboard: 'Ir al panel',
  },
  actions: {
    retry: 'Reintentar',
    cancel: 'Cancelar',
    undo: 'Deshacer',
    edit: 'Editar',
    delete: 'Eliminar',
    dismiss: 'Cerrar',
  },
  about: (label, what) => `${label}: ${what}`,
  problems: {
    offline: 'No tiene conexión.',
    signedOut: 'Su sesión ha terminado.',
    notFound: 'Esto se ha eliminado.',
    timeout: 'El servidor no responde.',
    invalid: 'Algunos datos no se han aceptado.',
    conflict: 'Entretanto se cambió en otro dispositivo.',
    tooMany: 'Demasiadas peticiones a la vez. Espere un momento.',
    tooLarge: 'En conjunto, los archivos son demasiado grandes.',
    unavailable: 'No se puede contactar ahora con el servidor.',
    provider: 'No se puede contactar ahora con el proveedor de acceso.',
    cancelled: 'Se ha cancelado.',
    mismatch: 'El inicio de sesión no corresponde a este navegador.',
    unexpected: 'Algo ha fallado al procesar su petición.',
  },
  failed: {
    signIn: 'No se pudo iniciar sesión.',
    load: 'No se pudieron cargar sus ubicaciones.',
    updateUser: 'No se pudieron cambiar sus datos.',
    createBusiness: 'Su empresa no se guardó.',
    updateBusiness: 'Su empresa no se guardó.',
    createSite: 'La ubicación no se guardó.',
    updateSite: 'La ubicación no se guardó.',
    updateSites: 'Las ubicaciones no se cambiaron.',
    savePhotos: 'Algunas fotos no se guardaron.',
    orderPhotos: 'El orden de las fotos no se guardó.',
    removePhoto: 'No se pudo quitar la foto.',
    deleteSite: 'No se pudo eliminar la ubicación. Vuelve a estar en la lista.',
    saveConnectors: 'Algunos conectores no se guardaron.',
    createRecord: 'La entrada no se guardó.',
    updateRecord: 'La entrada no se guardó.',
    removeRecord: 'No se pudo eliminar la entrada.',
    endSessions: 'Sigue con la sesión abierta en todas partes.',
    exportData: 'No se pudieron reunir sus datos.',
    deleteAccount: 'Su cuenta no se eliminó.',
  },

  // Terms
  facts: {
    connectors: (count) =>
      plural(count, { one: '1 conector', other: `${number(count)} conectores` }),
    power: (kw) => `${kw} kW`,
    capacity: (count) =>
      plural(count, { one: '1 vehículo a la vez', other: `${number(count)} vehículos a la vez` }),
    times: (count) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Abierto',
    PLANNED: 'Próximamente',
    INOPERATIVE: 'Cerrado temporalmente',
    OUTOFORDER: 'Averiado',
    REMOVED: 'Cerrado definitivamente',
    UNKNOWN: 'Desconocido',
    BLOCKED: 'Bloqueado',
    CHARGING: 'En uso',
    RESERVED: 'Reservado',
  },
  formatShort: { SOCKET: 'toma', CABLE: 'cable' },
  currentShort: {
    AC_1_PHASE: 'AC monofásica',
    AC_2_PHASE: 'AC bifásica',
    AC_2_PHASE_SPLIT: 'AC fase partida',
    AC_3_PHASE: 'AC trifásica',
    DC: 'DC',
  },
  standard: {
    IEC_62196_T1: 'Tipo 1 (J1772)',
    IEC_62196_T2: 'Tipo 2 (Mennekes)',
    IEC_62196_T3A: 'Tipo 3A',
    IEC_62196_T3C: 'Tipo 3C (Scame)',
  },

  // Login
  login: {
    heading: 'Le damos la bienvenida',
    text: 'Pasará por su proveedor de acceso y volverá aquí.',
    button: (provider: string) =>
      provider === '' ? 'Continuar con inicio de sesión único' : `Continuar con ${provider}`,
    leaving: 'Redirigiendo a su proveedor de acceso…',
    finishing: 'Iniciando sesión…',
    offline: 'No tiene conexión. Sin ella no se puede iniciar sesión.',
    required: 'Inicie sesión para abrir esa página. Llegará a ella justo después.',
    againTitle: 'Ha vuelto a iniciar sesión',
    again: 'Vuelva a la otra pestaña. Lo que escribió allí sigue ahí. Puede cerrar esta pestaña.',
    failed: 'El inicio de sesión no funcionó. Inténtelo de nuevo.',
  },
} satisfies Catalogue['core']
