import type { Catalogue } from '../messages.ts'

/** The photos of a site, in French. */
export default {
  photos: {
    title: 'Photos',
    hint: 'La première est la couverture et apparaît dans la liste. Les bonnes : le lieu entier, les places, la prise, le panneau.',
    dropHint: 'Vous pouvez aussi déposer des photos ici, ou les coller.',
    dropHere: 'Déposez les photos ici',
    choose: 'Choisir des photos',
    take: 'Prendre une photo',
    count: (count, max) => `${count} sur ${max}`,
    photo: (position) => `Photo ${position}`,
    newPhoto: (name) => `Nouvelle : ${name}`,
    cover: 'Couverture',
    makeCover: (label) => `Mettre en couverture : ${label}`,
    moveLeft: (label) => `Vers la gauche : ${label}`,
    moveRight: (label) => `Vers la droite : ${label}`,
    moved: (label, position, count) =>
      `${label} est maintenant en position ${position} sur ${count}`,
    remove: (label) => `Retirer : ${label}`,
    willGo: 'Retirée à l’enregistrement',
    willNotCome: 'Ne sera pas ajoutée',
    undo: (label) => `Annuler le retrait : ${label}`,
    tooMany: (max) => `Un site peut avoir ${max} photos. Les autres ont été laissées de côté.`,
    tooLarge: (name, megabytes) =>
      `${name} dépasse ${megabytes} Mo, même réduite. Elle a été laissée de côté.`,
    preparing: 'Préparation…',
    waiting: 'En attente…',
    uploading: (percent) => `Envoi : ${percent}`,
    processing: 'Enregistrement…',
    done: 'Envoyée',
    failed: 'Non enregistrée.',
    retry: (label) => `Réessayer : ${label}`,
    progress: (done, total) => `${done} photos envoyées sur ${total}`,
    partlySaved:
      'Tout le reste est enregistré. Les photos qui manquent sont signalées ci-dessous ; réessayez.',
    position: (name, place) => `${name} a été prise à ${place}.`,
    usePosition: 'Utiliser la position de cette photo pour le repère',
    ignorePosition: 'Non, merci',
    positionUsed: 'Le repère est à l’endroit où la photo a été prise.',
    positionPrivacy: 'La position n’est pas envoyée avec la photo.',
  },
} satisfies Catalogue['photos']
