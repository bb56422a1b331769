import type { Catalogue } from '../messages.ts'

/** Consent to usage analytics, in Spanish. */
export default {
  consent: {
    title: 'Estadísticas de uso',
    question:
      '¿Podemos contar qué páginas abre y qué errores se producen para mejorar esta aplicación? Para ello se guarda un número aleatorio en este dispositivo.',
    more: 'Privacidad',
    yes: 'Permitir',
    no: 'No permitir',
    on: 'Ha permitido las estadísticas de uso.',
    off: 'No ha permitido las estadísticas de uso.',
    change: 'Cambiar',
  },
} satisfies Catalogue['consent']
