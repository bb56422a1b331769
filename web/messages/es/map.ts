import type { Catalogue } from '../messages.ts'

/** Maps, in Spanish. */
export default {
  map: {
    loading: 'Cargando el mapa…',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    noWebGL: 'Este navegador no puede dibujar mapas.',
    failed: 'No se ha podido cargar el mapa.',
    worldOnly: 'Solo países y costas, sin calles.',
    noStreets: 'No se puede acceder al mapa de calles. Este solo muestra países y costas.',
    sites: 'Mapa de sus emplazamientos',
    sitesKeys:
      'Las flechas mueven el mapa, + y − cambian la escala, Intro selecciona el emplazamiento más cercano al centro.',
    withoutSites: 'Todos sus emplazamientos están en la lista.',
    selected: (name) => `${name} está seleccionado.`,
  },
} satisfies Catalogue['map']
