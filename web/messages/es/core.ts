import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** What every screen may need, in Spanish. */
export default {
  titles: {
    home: (product) => `Añadir una estación de carga a ${product}`,
    login: (product) => `Iniciar sesión con ${product}`,
    dashboard: 'Panel',
    addSite: 'Añadir un emplazamiento',
    editSite: 'Editar el emplazamiento',
    addBusiness: 'Añadir los datos de su empresa',
    editBusiness: 'Editar los datos de su empresa',
    newPassword: 'Elegir una contraseña nueva',
    confirmAddress: 'Confirmar su dirección',
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
        one: '1 cambio aún no ha llegado al servidor. Si cierra la sesión ahora, puede perderse.',
        other: `${number(count)} cambios aún no han llegado al servidor. Si cierra la sesión ahora, pueden perderse.`,
      }),
    lostDrafts: (count) =>
      plural(count, {
        one: 'Lo que ha escrito en 1 formulario solo está en este dispositivo. Al cerrar la sesión se borra.',
        other: `Lo que ha escrito en ${number(count)} formularios solo está en este dispositivo. Al cerrar la sesión se borra.`,
      }),
    stay: 'Seguir conectado',
    expiredTitle: 'Se ha cerrado su sesión',
    expired:
      'Su sesión ha caducado. Inicie sesión en otra pestaña y vuelva: lo que escribió aquí se conserva.',
    signInAgain: 'Iniciar sesión de nuevo',
    close: 'Cerrar',
    deleted: (name) => `${name} eliminado`,
  },
  crash: {
    title: 'Algo ha fallado en esta página',
    text: 'El problema quedó anotado. Recargar suele bastar.',
    reload: 'Recargar',
    missing: 'No se pudo cargar esta parte de la página.',
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
  problems: {
    offline: 'Está sin conexión.',
    signedOut: 'Su sesión ha caducado.',
    notFound: 'Ya no existe.',
    invalid: 'Algunos datos no se han aceptado.',
    conflict: 'Entretanto se modificó en otro lugar.',
    tooMany: 'Demasiadas peticiones a la vez. Espere un momento.',
    tooLarge: 'En conjunto, los archivos son demasiado grandes.',
    unavailable: 'No se puede contactar ahora con el servidor.',
    provider: 'No se puede contactar ahora con el proveedor de acceso.',
    cancelled: 'Se canceló.',
    mismatch: 'El inicio de sesión no corresponde a este navegador.',
    unexpected: 'Algo ha fallado al procesar su petición.',
  },
  failed: {
    signIn: 'No se pudo iniciar sesión.',
    load: 'No se pudieron cargar sus emplazamientos.',
    updateUser: 'No se pudieron cambiar sus datos.',
    createBusiness: 'Su empresa no se guardó.',
    updateBusiness: 'Su empresa no se guardó.',
    createSite: 'El emplazamiento no se guardó.',
    updateSite: 'El emplazamiento no se guardó.',
    savePhotos: 'Algunas fotos no se guardaron.',
    orderPhotos: 'El orden de las fotos no se guardó.',
    removePhoto: 'La foto no se quitó.',
    deleteSite: 'No se pudo eliminar el emplazamiento. Vuelve a estar en la lista.',
    saveConnectors: 'Algunos conectores no se guardaron.',
    endSessions: 'Sigue con la sesión abierta en todas partes.',
    exportData: 'No se pudieron reunir sus datos.',
    deleteAccount: 'Su cuenta no se eliminó.',
  },
} satisfies Catalogue['core']
