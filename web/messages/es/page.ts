import type { Catalogue } from '../messages.ts'

/** Messages of the prerendered page, for when the app fails to load, in Spanish. */
export default {
  page: {
    stuck: 'La página no se ha cargado por completo.',
    reload: 'Volver a cargar la página',
    noScript:
      'Para iniciar sesión y gestionar las estaciones se necesita JavaScript. Actívelo en su navegador, por favor.',
    noScriptMap:
      'El mapa y la búsqueda de cargadores necesitan JavaScript. Actívelo en su navegador, por favor.',
  },
} satisfies Catalogue['page']
