import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** What maps say, and the map for travellers, in Spanish. */
export default {
  map: {
    loading: 'Cargando el mapa…',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    noWebGL: 'Este navegador no puede dibujar mapas.',
    failed: 'No se ha podido cargar el mapa.',
    worldOnly: 'Solo países y costas, sin calles.',
    noStreets: 'No se puede acceder al mapa de calles. Este solo muestra países y costas.',
    sites: 'Mapa de sus ubicaciones',
    sitesKeys:
      'Las flechas mueven el mapa, + y − cambian la escala, Intro selecciona la ubicación más cercana al centro.',
    withoutSites: 'Todas sus ubicaciones están en la lista.',
    selected: (name) => `${name} está seleccionado.`,
  },

  find: {
    search: 'Buscar una ciudad o un cargador',
    clearSearch: 'Borrar la búsqueda',
    suggestions: 'Sugerencias',
    suggested: (count) =>
      plural(count, { one: '1 sugerencia', other: `${number(count)} sugerencias` }),
    nothingFound: (text) => `No se ha encontrado «${text}». Pruebe con otra grafía.`,
    nearMe: 'Cerca de mí',
    locating: 'Buscando su posición…',
    denied: 'Este navegador no comparte su ubicación. Busque una ciudad.',
    lost: 'No se ha encontrado su posición. Busque una ciudad.',
    filters: 'Filtros',
    plugAndPower: 'Conector y potencia',
    plug: 'Su conector',
    power: 'Potencia',
    anyPower: 'Cualquiera',
    fromPower: (kw) => `desde ${kw}\u00a0kW`,
    kept: 'Se guarda en este dispositivo para su próxima visita.',
    show: 'Ver los cargadores',
    openNow: 'Abierto ahora',
    free: 'Gratis',
    available: 'En servicio',
    everybody: 'Para todos',
    removeFilters: 'Quitar los filtros',
    chargers: (count) => plural(count, { one: '1 cargador', other: `${number(count)} cargadores` }),
    near: (place) => `Estaciones de carga cerca de ${place}`,
    list: 'Cargadores cercanos',
    fromYou: 'Primero el más cercano a usted',
    fromMiddle: 'Primero el más cercano al centro del mapa',
    more: 'Mostrar más',
    startTitle: '¿Dónde quiere cargar?',
    start: 'Busque una ciudad o un cargador, comparta su ubicación o mueva el mapa.',
    none: 'Aquí todavía no hay ningún cargador.',
    noneMatches: 'Ningún cargador coincide con estos filtros.',
    failed: 'No se han podido cargar los cargadores.',
    directions: 'Cómo llegar',
    directionsTo: (name) => `Cómo llegar a ${name} (abre una aplicación de mapas)`,
    details: 'Todos los detalles',
    chosen: 'Cargador elegido',
    back: 'Volver a la lista',
    goneTitle: 'Este cargador ya no figura en la lista.',
    gone: 'Se ha eliminado, o la dirección está mal escrita.',
    map: 'Mapa de cargadores',
    keys: 'Las flechas mueven el mapa, + y − cambian la escala, Intro abre lo más cercano al centro.',
    withoutMap: 'Todos los cargadores están en la lista.',
    missingMap: 'No se ha podido cargar el mapa. Todos los cargadores están en la lista.',
  },
  plugGroup: {
    TYPE_3: 'Tipo 3',
    SOCKET: 'Enchufe doméstico o industrial',
    TRUCK: 'Camiones y autobuses',
  },
} satisfies Catalogue['map']
