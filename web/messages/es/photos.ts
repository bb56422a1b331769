import type { Catalogue } from '../messages.ts'

/** The photos of a site, in Spanish. */
export default {
  photos: {
    title: 'Fotos',
    hint: 'La primera es la portada y sale en la lista. Las buenas: el lugar entero, las plazas, el conector, el cartel.',
    dropHint: 'También puede soltar fotos aquí o pegarlas.',
    dropHere: 'Suelte las fotos aquí',
    choose: 'Elegir fotos',
    take: 'Hacer una foto',
    count: (count, max) => `${count} de ${max}`,
    photo: (position) => `Foto ${position}`,
    newPhoto: (name) => `Nueva: ${name}`,
    cover: 'Portada',
    makeCover: (label) => `Usar como portada: ${label}`,
    moveLeft: (label) => `Mover a la izquierda: ${label}`,
    moveRight: (label) => `Mover a la derecha: ${label}`,
    moved: (label, position, count) => `${label} está ahora en la posición ${position} de ${count}`,
    remove: (label) => `Quitar: ${label}`,
    willGo: 'Se quita al guardar',
    willNotCome: 'No se añadirá',
    undo: (label) => `Deshacer la eliminación: ${label}`,
    tooMany: (max) => `Un emplazamiento puede tener ${max} fotos. Las demás se dejaron fuera.`,
    tooLarge: (name, megabytes) =>
      `${name} supera los ${megabytes} MB incluso reducida. Se ha dejado fuera.`,
    preparing: 'Preparando…',
    waiting: 'En espera…',
    uploading: (percent) => `Subiendo: ${percent}`,
    processing: 'Guardando…',
    done: 'Subida',
    failed: 'No se guardó.',
    retry: (label) => `Reintentar: ${label}`,
    progress: (done, total) => `${done} de ${total} fotos subidas`,
    partlySaved:
      'Todo lo demás está guardado. Las fotos que faltan están marcadas abajo; inténtelo de nuevo.',
    position: (name, place) => `${name} se hizo en ${place}.`,
    usePosition: 'Usar la posición de esta foto para el marcador',
    ignorePosition: 'No, gracias',
    positionUsed: 'El marcador está donde se hizo la foto.',
    positionPrivacy: 'La posición no se envía con la foto.',
  },
} satisfies Catalogue['photos']
