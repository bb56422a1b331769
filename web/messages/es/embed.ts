import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** Las páginas para incrustar, el cartel, y cómo obtenerlos, en español. */
export default {
  embed: {
    details: 'Detalles y cómo llegar',
    newTab: 'se abre en otra pestaña',
    sites: (count) =>
      plural(count, { one: '1 estación de carga', other: `${number(count)} estaciones de carga` }),
    map: (name) => `Mapa de las estaciones de carga de ${name}`,
    missing: 'El mapa no se puede mostrar aquí. La lista tiene todas las estaciones.',
    keys: 'Las flechas mueven el mapa, más y menos cambian el zoom. Intro abre lo que está en el centro.',
    more: 'Más estaciones',
    button: 'En su sitio web o como cartel',
    buttonAll: 'Poner el mapa de sus estaciones en su sitio web',
    title: 'En su sitio web',
    text: 'Copie esto en la página de su sitio web donde debe aparecer la estación. Se mantiene al día por sí sola.',
    textAll:
      'Copie esto en la página de su sitio web donde deben aparecer sus estaciones. Las nuevas aparecen solas.',
    code: 'HTML para su sitio web',
    copy: 'Copiar',
    copied: 'Copiado',
    preview: 'Lo que ven sus visitantes',
    frameTitle: (name) => `Carga en ${name}`,
    close: 'Cerrar',
  },
  poster: {
    link: 'Cartel para imprimir',
    headline: 'Cargue aquí su coche eléctrico',
    pay: 'Formas de pago',
    print: 'Imprimir',
  },
} satisfies Catalogue['embed']
