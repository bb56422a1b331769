import type { Catalogue } from '../messages.ts'

/** Keyboard shortcuts, in Spanish. */
export default {
  shortcuts: {
    title: 'Atajos de teclado',
    does: {
      search: 'Buscar en sus ubicaciones',
      newSite: 'Añadir una ubicación',
      dashboard: 'Ir al panel',
      help: 'Mostrar estos atajos',
      save: 'Guardar el formulario abierto',
      messages: 'Ir a los mensajes o a la selección y volver',
    },
    or: 'o',
    andThen: 'y luego',
    control: 'Ctrl',
    enter: 'Intro',
    switch: 'Atajos de una sola tecla',
    switchHint:
      'Si alguna letra activa algo sin querer, desactívelos. Se recuerda en este dispositivo.',
  },
} satisfies Catalogue['shortcuts']
