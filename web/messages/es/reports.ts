import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** Reports of travellers: their form and the owner's inbox, in Spanish. */
export default {
  report: {
    lead: '¿Algo no está bien en esta estación de recarga? Dígaselo al operador.',
    reason: '¿Qué no está bien?',
    reasons: {
      NOT_WORKING: 'No carga',
      NO_ACCESS: 'No se puede acceder',
      STATUS_WRONG: 'El estado (abierto, cerrado) no es correcto',
      PLACE_WRONG: 'Está en otro sitio',
      PLUG_WRONG: 'El conector o la potencia no son correctos',
      PRICE_WRONG: 'El precio no es correcto',
      HOURS_WRONG: 'El horario no es correcto',
    },
    chooseReason: 'Elija qué no está bien',
    message: 'Con sus propias palabras',
    messageHint: '¿Qué punto de recarga, qué conector, desde cuándo?',
    email: 'Su correo electrónico',
    emailHint:
      'Solo para la respuesta del operador, que no verá su correo. Lo borramos cuando se haya enviado la respuesta.',
    send: 'Enviar el aviso',
    sending: 'Enviando…',
    notSent: 'No se ha enviado',
    kept: 'Lo que ha escrito sigue aquí.',
    tooMany: 'Ha habido muchos avisos últimamente. Vuelva a intentarlo dentro de una hora.',
    sentTitle: 'Gracias',
    sent: 'Hemos enviado su aviso al operador.',
    sentWithEmail: 'Hemos enviado su aviso al operador. Si responde, lo recibirá por correo.',
    back: 'Volver a la estación de recarga',
    another: 'Avisar de algo más',
    goneTitle: 'Esta estación no está en el mapa',
    gone: 'Puede que se haya retirado o que el enlace no sea correcto.',
  },

  reports: {
    waiting: (count) =>
      plural(count, { one: '1 aviso le espera', other: `${number(count)} avisos le esperan` }),
    nothing: 'No hay nada pendiente',
    none: 'Cuando un viajero avise de un problema en una de sus ubicaciones, lo verá aquí.',
    at: (name) => `Sobre ${name}:`,
    all: 'Todas las ubicaciones',
    wantsAnswer: 'Quiere una respuesta por correo',
    answer: 'Su respuesta',
    answerHint:
      'Se envía por correo. Si la persona contesta, llega al correo de contacto de la ubicación.',
    writeAnswer: 'Escriba una respuesta, o márquelo como resuelto',
    status: 'Estado de la ubicación',
    keepStatus: (status) => `Dejarlo así: ${status}`,
    send: 'Enviar la respuesta',
    resolve: 'Marcar como resuelto',
    sendAndResolve: 'Enviar y marcar como resuelto',
    answered: 'Respondido. El correo está en camino.',
    resolved: 'Marcado como resuelto',
    done: 'Terminados',
    doneCount: (count) =>
      plural(count, {
        one: '1 respondido o resuelto',
        other: `${number(count)} respondidos o resueltos`,
      }),
    yourAnswer: 'Usted respondió:',
    states: { OPEN: 'Pendiente', ANSWERED: 'Respondido', RESOLVED: 'Resuelto' },
    reopen: 'Abrir de nuevo',
    kept: (days) => `Se borran después de ${number(days)} días.`,
  },
} satisfies Catalogue['reports']
