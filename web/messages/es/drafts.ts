import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const list = lists('es')
const number = counts('es')

/** What is kept on the device, in Spanish. */
export default {
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
    savedAt: (time) => `Borrador guardado a las ${time}`,
    notKept: 'No se pudo guardar el borrador en este dispositivo',
    filesNotKept: 'No se pudieron guardar las imágenes de este borrador en este dispositivo',
    changes: (count) => plural(count, { one: '1 cambio', other: `${number(count)} cambios` }),
    discard: 'Descartar',
    sendLater: 'Guardar para enviar después',
    keptForLater: (name) => `${name} queda en este dispositivo y se enviará cuando haya conexión.`,
    laterFailedTitle: 'No se pudo guardar para enviarlo después.',
    laterFailed:
      'A este dispositivo no le queda espacio o no lo permite. Deje esta página abierta hasta que vuelva la conexión.',
    waiting: 'Pendiente de envío',
    waitingText:
      'Está guardado en este dispositivo y se enviará cuando haya conexión. Todavía puede cambiarlo.',
    savedData: (when) => `Se muestran datos guardados (${when})`,
    elsewhere: (ago) => `Cambiado en otro lugar, ${ago}`,
    choose: 'Esto se cambió aquí y en otro dispositivo. Elija qué conservar:',
    taken: (parts) => `Incorporado de allí: ${list(parts)}.`,
    photos: (count) => plural(count, { one: '1 foto', other: `${number(count)} fotos` }),
    mine: 'Aquí',
    theirs: 'Otro lugar',
    keepMine: 'Conservar lo mío',
    takeTheirs: 'Usar lo otro',
    about: (action, what) => `${action}: ${what}`,
    nothing: 'vacío',
    removed: 'eliminado',
  },
} satisfies Catalogue['drafts']
