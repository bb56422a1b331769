import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')
const list = lists('es')

/** Open data, registers and embedded pages, in Spanish. */
export default {
  open: {
    lead: (product) =>
      `Todas las ubicaciones de recarga públicas de ${product}, en el formato que necesite. Sin clave y sin cuenta; cualquier programa o sitio web puede leerlas.`,
    sites: (count) => plural(count, { one: '1 ubicación', other: `${number(count)} ubicaciones` }),
    changed: (when) => `Último cambio: ${when}`,
    notLoaded: 'No se pudieron cargar las cifras. Las direcciones funcionan igualmente.',
    formatsTitle: 'Formatos',
    formatsOf: (name) => `Formatos: ubicaciones de ${name}`,
    formats: {
      ocpi: 'Para aplicaciones de recarga y socios de itinerancia: ubicaciones y tarifas, página a página, con lo que se ha eliminado.',
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
    size: (size) => `unos ${size}`,
    copy: 'Copiar',
    copied: 'Copiado',
    losses: 'Lo que no incluye',
    lossesOf: (format) => `Lo que no incluye: ${format}`,
    examplesTitle: 'Ejemplos',
    example: {
      whole: 'Todo, comprimido durante la transferencia',
      since: 'Solo lo que ha cambiado desde un día concreto',
      again: 'Solo si algo ha cambiado',
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
      'Dé estas direcciones a socios de itinerancia y registros para que puedan leer sus ubicaciones públicas. Los datos siempre están al día.',
    allFormats: 'Todos los formatos, con ejemplos',
  },

  registers: {
    names: {
      irve: 'Registro de Francia (IRVE)',
      ocpi: 'Itinerancia entre operadores (OCPI)',
      afir: 'Puntos de acceso de la UE (AFIR)',
      osm: 'OpenStreetMap',
      ocm: 'Open Charge Map',
    },
    title: 'Registros',
    complete: (registers) => `Completa para: ${list(registers)}`,
    completeForAll: (all) => `Completa para los ${number(all)} registros`,
    incompleteFor: (some, all) => `Aún incompleta para ${number(some)} de ${number(all)} registros`,
    needs: (register) => `Aún falta para ${register}:`,
    asks: (register) => `También se recomienda para ${register}:`,
    lacking: (some, all) =>
      plural(some, {
        one: `1 de ${number(all)} ubicaciones está incompleta`,
        other: `${number(some)} de ${number(all)} ubicaciones están incompletas`,
      }),
    choose: (count) =>
      plural(count, {
        one: 'Elegir esta ubicación',
        other: `Elegir estas ${number(count)} ubicaciones`,
      }),
    chooseFor: (choose, label) => `${choose}: ${label}`,
    ofBusiness: (registers, fields) =>
      `${list(registers)}: faltan datos de su empresa (${list(fields)})`,
    feeds: (count) =>
      plural(count, { one: 'Un feed le espera', other: `${number(count)} feeds le esperan` }),
  },

  embed: {
    details: 'Detalles y cómo llegar',
    newTab: 'se abre en otra pestaña',
    sites: (count) =>
      plural(count, {
        one: '1 estación de recarga',
        other: `${number(count)} estaciones de recarga`,
      }),
    map: (name) => `Mapa de las estaciones de recarga de ${name}`,
    missing: 'El mapa no se puede mostrar aquí. La lista tiene todas las estaciones.',
    keys: 'Las flechas mueven el mapa, más y menos cambian la escala. Intro abre lo que está en el centro.',
    more: 'Más estaciones',
    button: 'Mostrar en su sitio web o como cartel',
    buttonAll: 'Poner el mapa de sus estaciones en su sitio web',
    title: 'En su sitio web',
    text: 'Copie esto en la página de su sitio web donde debe aparecer la estación. Se mantiene al día por sí sola.',
    textAll:
      'Copie esto en la página de su sitio web donde deben aparecer sus estaciones. Las nuevas aparecen solas.',
    code: 'HTML para su sitio web',
    copy: 'Copiar',
    copied: 'Copiado',
    preview: 'Así se verá en su sitio web',
    frameTitle: (name) => `Recarga en ${name}`,
    close: 'Cerrar',
  },
  poster: {
    link: 'Cartel para imprimir',
    headline: 'Cargue aquí su coche eléctrico',
    pay: 'Formas de pago',
    print: 'Imprimir',
  },
} satisfies Catalogue['open']
