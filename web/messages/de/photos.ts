import type { Catalogue } from '../messages.ts'

/** The photos of a site, in German. */
export default {
  photos: {
    title: 'Fotos',
    hint: 'Das erste ist das Titelbild und steht in der Liste. Gut sind: der ganze Ort, die Plätze, der Stecker, das Schild.',
    dropHint: 'Sie können Fotos auch hierher ziehen oder einfügen.',
    dropHere: 'Fotos hier ablegen',
    choose: 'Fotos wählen',
    take: 'Foto aufnehmen',
    count: (count, max) => `${count} von ${max}`,
    photo: (position) => `Foto ${position}`,
    newPhoto: (name) => `Neu: ${name}`,
    cover: 'Titelbild',
    makeCover: (label) => `Zum Titelbild machen: ${label}`,
    moveLeft: (label) => `Nach links: ${label}`,
    moveRight: (label) => `Nach rechts: ${label}`,
    moved: (label, position, count) => `${label} ist jetzt Nummer ${position} von ${count}`,
    remove: (label) => `Entfernen: ${label}`,
    willGo: 'Wird beim Speichern entfernt',
    willNotCome: 'Wird nicht hinzugefügt',
    undo: (label) => `Entfernen rückgängig machen: ${label}`,
    tooMany: (max) => `Ein Standort kann ${max} Fotos haben. Die übrigen wurden weggelassen.`,
    tooLarge: (name, megabytes) =>
      `${name} ist auch verkleinert größer als ${megabytes} MB und wurde weggelassen.`,
    preparing: 'Wird vorbereitet …',
    waiting: 'Wartet …',
    uploading: (percent) => `Wird hochgeladen: ${percent}`,
    processing: 'Wird abgelegt …',
    done: 'Hochgeladen',
    failed: 'Nicht gespeichert.',
    retry: (label) => `Erneut versuchen: ${label}`,
    progress: (done, total) => `${done} von ${total} Fotos hochgeladen`,
    partlySaved:
      'Alles andere ist gespeichert. Die fehlenden Fotos sind unten markiert; versuchen Sie es mit ihnen erneut.',
    position: (name, place) => `${name} wurde bei ${place} aufgenommen.`,
    usePosition: 'Position dieses Fotos für die Stecknadel verwenden',
    ignorePosition: 'Nein, danke',
    positionUsed: 'Die Stecknadel steht jetzt dort, wo das Foto aufgenommen wurde.',
    positionPrivacy: 'Mit dem Foto wird die Position nicht gesendet.',
  },
} satisfies Catalogue['photos']
