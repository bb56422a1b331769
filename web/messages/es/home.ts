import type { Catalogue } from '../messages.ts'

/** Home, in Spanish. */
export default {
  home: {
    headline: 'Ponga sus cargadores en el mapa',
    lead: (product) =>
      `Dé de alta en ${product} sus estaciones de recarga para coches eléctricos: dónde están, qué conectores tienen, cuánto cuesta cargar. Los viajeros las encuentran en el mapa público.`,
    start: 'Iniciar sesión y añadir una estación',
    dashboard: 'Ir a su panel',
    stepsTitle: 'Cómo funciona',
    steps: [
      { title: 'Inicie sesión', text: 'Con el acceso que ya tiene. Sin contraseña nueva.' },
      { title: 'Describa su empresa', text: 'Un nombre, un logotipo, una forma de contacto.' },
      {
        title: 'Añada sus ubicaciones',
        text: 'Dirección, conectores, precio y fotos. Cámbielas cuando algo cambie.',
      },
    ],
    exampleBadge: 'Ejemplo',
    exampleTitle: 'Un ejemplo de ubicación en su lista',
    example: {
      name: 'Muelle Norte',
      address: 'Calle del Muelle 12, Gijón',
      cost: 'Gratis para clientes',
    },
    questionsTitle: 'Conviene saber',
    questions: [
      {
        question: '¿Quién puede añadir una ubicación?',
        answer:
          'Cualquier empresa que opere estaciones de recarga. Una cuenta gestiona una empresa con todas sus ubicaciones.',
      },
      {
        question: '¿Qué necesito?',
        answer:
          'La dirección, el tipo y la potencia de cada conector y, si quiere, un precio y algunas fotos del lugar.',
      },
      {
        question: '¿Puedo cambiarlo después?',
        answer:
          'Cuando quiera y en cualquier dispositivo. También puede marcar un cierre temporal o quitar una ubicación.',
      },
    ],
  },
} satisfies Catalogue['home']
