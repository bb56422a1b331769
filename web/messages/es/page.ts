import type { Catalogue } from '../messages.ts'

/** Messages of the prerendered page, for when the app fails to load, in Spanish. */
export default {
  page: {
    stuck: 'La página no se ha cargado por completo.',
    reload: 'Volver a cargar la página',
    noScript:
      'Para iniciar sesión y gestionar las ubicaciones se necesita JavaScript. Actívelo en su navegador, por favor.',
    noScriptPage: 'Esta página necesita JavaScript. Actívelo en su navegador, por favor.',
    plainList: 'Buscar en la lista sencilla de cargadores',
    noScriptMap: 'El mapa necesita JavaScript.',
  },
} satisfies Catalogue['page']
