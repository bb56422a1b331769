import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const number = counts('es')
const plural = plurals('es')

/** Where a site is, in Spanish. */
export default {
  location: {
    addressHint:
      'Escriba para buscar. También se entienden coordenadas y enlaces de aplicaciones de mapas.',
    addressHintPlain:
      'Calle, número, código postal y localidad. También se entienden coordenadas y enlaces de aplicaciones de mapas.',
    suggestions: 'Direcciones',
    searching: 'Buscando…',
    found: (count) =>
      plural(count, {
        one: '1 dirección encontrada. Elija con las flechas e Intro.',
        other: `${number(count)} direcciones encontradas. Elija con las flechas e Intro.`,
      }),
    foundNone: 'No se ha encontrado ninguna dirección.',
    useTyped: 'Usar exactamente lo que he escrito',
    takeCoordinates: (pair) => `Usar las coordenadas ${pair}`,
    searchDown:
      'No se puede acceder a la búsqueda de direcciones. Escriba la dirección e indique la posición más abajo.',
    searchBusy:
      'Han sido muchas búsquedas. Siga escribiendo; en un minuto volverá a haber sugerencias.',
    linkWithoutPlace: 'Este enlace no indica ningún lugar legible. Ábralo y copie las coordenadas.',
    addressPosition: 'Dirección y coordenadas rellenadas.',
    openMap: 'Indicar en un mapa',
    adjustMap: 'Ajustar en un mapa',
    mapTitle: 'Indicar la posición',
    mapHelp: 'Mueva el mapa hasta que el marcador esté sobre los cargadores.',
    mapKeys: 'Las flechas mueven el mapa, + y − cambian la escala.',
    mapLabel: 'Mapa bajo un marcador fijo',
    withoutMap: 'Escriba o pegue las coordenadas.',
    usePosition: 'Usar esta posición',
    closeMap: 'Cerrar el mapa',
    positionTaken: 'Posición tomada del mapa.',
    far: (distance) => `A ${distance} de la dirección elegida`,
    farHint: 'Está bien si los cargadores se encuentran realmente allí.',
    toAddress: 'Llevar el marcador a la dirección',
    sea: 'Esta posición está en el mar',
    seaHint:
      'Compruebe los signos menos y si falta alguna cifra. Las islas pequeñas no están en nuestro mapa: si es una de ellas, todo está bien.',
    swapped: 'La latitud y la longitud parecen intercambiadas',
    swappedHint: 'Al revés, esta posición tiene más sentido.',
    swap: 'Intercambiarlas',
    near: (name, distance) => `Ya tiene «${name}», a ${distance} de aquí`,
    nearHint: 'Un emplazamiento reúne todos los conectores de un lugar.',
    editNear: (name) => `Editar «${name}» en su lugar`,
  },
} satisfies Catalogue['location']
