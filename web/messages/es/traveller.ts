import type traveller from '../en/traveller.ts'

/** The public page of a site, in Spanish. */
export default {
  traveller: {
    pageTitle: (name, town) =>
      town === '' ? `${name}: estación de recarga` : `${name}: estación de recarga en ${town}`,
    home: (product) => `${product}, página de inicio`,
    languages: 'Idioma',
    photos: (name) => `Fotos de ${name}`,
    photo: (position, name) => `Foto ${position} de ${name}`,
    updated: (when) => `Actualizado ${when}`,
    directions: 'Cómo llegar',
    otherMap: 'Otra aplicación de mapas',
    plugs: 'Conectores',
    price: 'Precio',
    noPrice: 'El operador no ha indicado ningún precio.',
    morePrices: (count) => `Otros precios: ${count}`,
    aboutPrice: 'Más sobre este precio',
    example: (said) => `Por ejemplo, ${said}`,
    hours: 'Horario',
    closed: 'cerrado',
    goodToKnow: 'Conviene saber',
    capacity: 'Capacidad',
    operator: 'Operador',
    confirmed: (date) => `Confirmado por el operador el ${date}.`,
    confirmedLongAgo: (date) =>
      `El operador confirmó estos datos por última vez el ${date}, hace más de un año. Algunos pueden haber cambiado.`,
    report: 'Avisar al operador de un error',
    share: 'Compartir',
    shareCopied: 'Dirección copiada',
    address: 'Dirección de esta página',
    scan: 'Escanee este código para ver los datos actuales',
    gone: {
      title: 'Esta estación de recarga ya no figura en la lista',
      text: 'Su operador la ha cerrado o retirado.',
      near: 'Cargadores cercanos',
    },
    unknown: {
      title: 'Aquí no hay ninguna estación de recarga',
      text: 'Puede que el enlace no sea correcto o que la estación ya no sea pública.',
    },
  },
} satisfies typeof traveller
