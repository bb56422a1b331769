import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')
const list = lists('es')
/** Returns an empty text for zero. */
const some: typeof plural = (many, forms) => (many === 0 ? '' : plural(many, forms))

/** The screens that emails link to, and the account card, in Spanish. */
export default {
  account: {
    newPassword: 'Contraseña nueva',
    newPasswordFor: (email: string) => `Para la cuenta de ${email}.`,
    passwordHint: (min: number) => `Al menos ${min} caracteres. Una frase corta sirve muy bien.`,
    repeatPassword: 'Repita la contraseña',
    savePassword: 'Guardar la contraseña',
    saving: 'Guardando la contraseña…',
    passwordsDiffer: 'Las dos contraseñas son distintas',
    passwordSetTitle: 'Su contraseña nueva está guardada',
    passwordSet: 'Se ha cerrado la sesión en todos los dispositivos.',
    signIn: 'Ir al inicio de sesión',
    confirming: 'Confirmando su dirección…',
    confirmingText:
      'Tardará un momento. Deje esta página abierta hasta que termine: cada enlace funciona una sola vez.',
    confirmedTitle: 'Su dirección está confirmada',
    confirmed: 'Puede cerrar esta página.',
    dashboard: 'Ir al panel',
    expiredTitle: 'Este enlace ha caducado',
    expired: 'Pida un correo nuevo donde pidió este, y abra pronto su enlace.',
    usedTitle: 'Este enlace ya no es válido',
    usedForPassword:
      'Cada enlace funciona una sola vez, y una contraseña más reciente lo anula. Si no acaba de elegir una usted, pida un correo nuevo.',
    usedForAddress:
      'Cada enlace funciona una sola vez. Si ya lo abrió antes, su dirección está confirmada.',
    brokenTitle: 'Este enlace está incompleto',
    broken: 'Copie la dirección entera del correo, o abra el enlace desde el propio correo.',
    failedTitle: 'No ha funcionado',
  },
  accountCard: {
    noEmail: 'Sin dirección de correo: su proveedor de acceso no ha confirmado ninguna.',
    offline: 'No tiene conexión. Para esto hace falta una.',
    changesHint: 'Todos los cambios en su empresa, sus ubicaciones y sus tarifas.',
    everywhere: 'Cerrar sesión en todas partes',
    everywhereHint: 'Cierra su sesión en todos los navegadores y aplicaciones, también aquí.',
    everywhereTitle: '¿Cerrar sesión en todas partes?',
    everywhereText: 'Tendrá que volver a iniciar sesión en cada dispositivo, también en este.',
    everywhereDone: 'Se ha cerrado su sesión en todas partes',
    download: 'Descargar mis datos',
    downloadHint: 'Un archivo ZIP con todos sus datos y sus fotos.',
    downloadBegun: 'La descarga ha comenzado',
    delete: 'Eliminar mi cuenta',
    deleteHint: 'Elimina para siempre su cuenta y todo lo que contiene.',
    deleteTitle: '¿Eliminar su cuenta?',
    deleteText: (owned) => {
      const parts = [
        owned.business === '' ? 'su empresa' : `su empresa ${owned.business}`,
        some(owned.sites, {
          one: '1 ubicación',
          other: `${number(owned.sites)} ubicaciones`,
        }),
        some(owned.connectors, {
          one: '1 conector',
          other: `${number(owned.connectors)} conectores`,
        }),
        some(owned.photos, { one: '1 foto', other: `${number(owned.photos)} fotos` }),
      ].filter((part) => part !== '')
      return `Se eliminará su cuenta y, con ella, ${list(parts)}. No se puede deshacer.`
    },
    deleteNothing: 'Se eliminará su cuenta. No se puede deshacer.',
    deleteUnknown:
      'Se eliminará su cuenta con su empresa y todo lo que contiene. No se puede deshacer.',
    deleteProvider: 'Su cuenta en el proveedor de acceso se mantiene.',
    deleteWord: 'eliminar',
    deleteType: (wanted) => `Para confirmar, escriba:\n${wanted}`,
    deleteMistyped: 'No coincide con lo que se pide',
    deleteForGood: 'Eliminar para siempre',
    deleted: 'Su cuenta y todo lo que contenía se han eliminado.',
  },
  history: {
    of: (name) => `Historial de ${name}`,
    all: 'Mostrar todo',
    none: 'Todavía no se ha cambiado nada.',
    notLoaded: 'No se pudo cargar el historial.',
    more: 'Mostrar cambios anteriores',
    shown: (count) =>
      plural(count, { one: 'Se muestra 1 cambio', other: `Se muestran ${number(count)} cambios` }),
    kept: (years) =>
      plural(years, {
        one: 'Los cambios se conservan 1 año.',
        other: `Los cambios se conservan ${number(years)} años.`,
      }),
    administrator: 'La administración',
    administratorFor: (who) => `La administración (con la sesión de ${who})`,
    system: 'El sistema',
    unknownSite: 'una ubicación eliminada',
    unknownConnector: 'sin detalles',
    image: 'imagen',
    business: {
      create: (who) => `${who} añadió la empresa`,
      update: (who) => `${who} cambió los datos de la empresa`,
      delete: (who) => `${who} eliminó la empresa`,
    },
    site: {
      create: (who, name) => `${who} añadió «${name}»`,
      update: (who, name) => `${who} cambió «${name}»`,
      delete: (who, name) => `${who} eliminó «${name}»`,
    },
    connector: {
      create: (who, what, name) => `${who} añadió un conector a «${name}» (${what})`,
      update: (who, what, name) => `${who} cambió un conector de «${name}» (${what})`,
      delete: (who, what, name) => `${who} quitó un conector de «${name}» (${what})`,
    },
    bulkUpdate: (who, what, where) => `${who} cambió «${what}» ${where}`,
    ofSites: (count) =>
      plural(count, { one: 'en 1 ubicación', other: `en ${number(count)} ubicaciones` }),
    showSites: 'Mostrar las ubicaciones',
    imported: (who, changes) => `${who} hizo una importación: ${changes}`,
    importUndone: (who, changes) => `${who} deshizo una importación: ${changes}`,
    changes: (count) => plural(count, { one: '1 cambio', other: `${number(count)} cambios` }),
    showImport: 'Mostrar la importación',
    showImportOf: (what) => `Mostrar la importación: ${what}`,
    showChanges: 'Mostrar los cambios',
    bulkTitle: (count) =>
      plural(count, {
        one: '¿Restaurar los valores anteriores de 1 ubicación?',
        other: `¿Restaurar los valores anteriores de ${number(count)} ubicaciones?`,
      }),
    bulkText: 'Las ubicaciones que hayan cambiado después se quedan como están.',
    bulkNothing: 'Ninguna de estas ubicaciones tiene ya ese valor.',
    before: 'antes:',
    after: 'después:',
    filledIn: '(según la posición)',
    photo: (position, shows) => `Foto ${number(position)}: ${shows}`,
    formerPhoto: (shows) => `Foto eliminada: ${shows}`,
    filesStay: 'Las imágenes eliminadas no se pueden restaurar.',
    putBack: 'Restaurar',
    putBackOf: (what) => `Restaurar: ${what}`,
    done: 'Restaurado.',
    failed: 'No se pudo restaurar.',
    restoreTitle: (name) => `¿Restaurar «${name}»?`,
    restore:
      'La ubicación vuelve con sus datos y conectores. Sus fotos se han eliminado para siempre.',
    conflictTitle: 'Esto ha vuelto a cambiar desde entonces',
    conflict: (label, now, former) => `${label}: ahora ${now}; tras restaurar, ${former}.`,
  },
} satisfies Catalogue['account']
