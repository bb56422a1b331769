import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** The page about open data, and the addresses of a business's own files; in Spanish. */
export default {
  open: {
    lead: (product) =>
      `Todas las ubicaciones de carga públicas de ${product}, en el formato que necesite. Sin clave y sin cuenta; cualquier programa y cualquier web puede leerlas.`,
    sites: (count) => plural(count, { one: '1 ubicación', other: `${number(count)} ubicaciones` }),
    changed: (when) => `Último cambio: ${when}`,
    notLoaded: 'No se pudieron cargar las cifras. Las direcciones funcionan igualmente.',
    formatsTitle: 'Formatos',
    formatsOf: (name) => `Formatos: ubicaciones de ${name}`,
    formats: {
      ocpi: 'Para aplicaciones de carga y socios de itinerancia: ubicaciones y tarifas, página a página, con lo que se ha eliminado.',
      irve: 'Para el registro de Francia: una fila por punto de recarga, como la admite transport.data.gouv.fr.',
      datex: 'Para los puntos de acceso nacionales de la UE, como Mobilithek.',
      geojson: 'Para mapas y programas geográficos, como QGIS.',
      osm: 'Para comparar con OpenStreetMap, por ejemplo en JOSM.',
      ocm: 'Para programas que leen Open Charge Map.',
      csv: 'Para bases de datos y sus propios programas.',
      xlsx: 'Para Excel, LibreOffice y Google Sheets.',
    },
    address: (format) => `Dirección: ${format}`,
    download: 'Descargar',
    downloadOf: (format) => `Descargar: ${format}`,
    copy: 'Copiar',
    copied: 'Copiado',
    losses: 'Lo que no incluye',
    lossesOf: (format) => `Lo que no incluye ${format}`,
    examplesTitle: 'Ejemplos',
    example: {
      whole: 'Todo, comprimido durante la transferencia',
      since: 'Solo lo que ha cambiado desde un día',
      again: 'Nada, salvo que algo haya cambiado',
      ocpi: 'OCPI: las versiones, y después página a página',
    },
    sinceText:
      'Con since recibe las ubicaciones que han cambiado desde entonces. Las eliminadas aparecen como tales si el formato lo permite.',
    businesses: (count) => plural(count, { one: '1 empresa', other: `${number(count)} empresas` }),
    businessesTitle: 'Empresas y sus licencias',
    businessesText:
      'Cada empresa elige la licencia de sus datos. Cite a la empresa como fuente cuando la licencia lo pida.',
    columns: {
      name: 'Empresa',
      licence: 'Licencia',
      sites: 'Ubicaciones',
      changed: 'Último cambio',
    },
    search: 'Buscar una empresa',
    found: (some, all) => `${number(some)} de ${number(all)} empresas`,
    noneFound: (text) => `Ninguna empresa coincide con «${text}»`,
    more: 'Mostrar más',
    only: (name) => `Solo las ubicaciones de ${name}`,
    all: 'Mostrar todas las empresas',
    none: 'Aún no hay ninguna ubicación pública.',
    feedsTitle: 'Sus feeds',
    feedsText:
      'Lo que otros leen de sus ubicaciones públicas: dé estas direcciones a socios de itinerancia y registros. Siempre están al día.',
    allFormats: 'Todos los formatos, con ejemplos',
  },
} satisfies Catalogue['open']
