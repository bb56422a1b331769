import { counts, megabytes, millions, plurals, texts } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const text = texts('fr')

/** The forms, in French. */
export default {
  // Form
  form: {
    optional: 'facultatif',
    saving: 'Enregistrement…',
    stalled: 'Rien ne passe. La connexion est peut-être trop faible.',
    problems: (count) =>
      plural(count, {
        one: `Il y a ${count} problème`,
        other: `Il y a ${number(count)} problèmes`,
      }),
    problemOf: (label, problem) => `${label} : ${problem}`,
    problemsText: 'Corrigez ceci et enregistrez de nouveau :',
    notSaved: 'Vos modifications sont toujours là. Réessayez.',
    partlySaved:
      'Le site est enregistré, mais certains connecteurs ne le sont pas. Ils sont signalés ci-dessous.',
    remaining: (count) =>
      plural(count, {
        one: `${number(count)} caractère restant`,
        other: `${number(count)} caractères restants`,
      }),
    publicHint: 'Public : les registres et les partenaires le lisent.',
    tooLong: (count) =>
      plural(count, {
        one: `${number(count)} caractère de trop`,
        other: `${number(count)} caractères de trop`,
      }),
    photoUnreadable: (name) => `${name} ne peut pas être lu comme une image.`,
    photoHeic: (name) =>
      `${name} est une photo HEIC que ce navigateur ne sait pas lire. Sur le téléphone, partagez-la ou exportez-la en JPEG, puis ajoutez-la de nouveau.`,
  },
  required: {
    name: 'Saisissez un nom',
    address: 'Saisissez l’adresse',
    latitude: 'Saisissez la latitude',
    longitude: 'Saisissez la longitude',
    status: 'Choisissez un état',
    standard: 'Choisissez la prise',
    format: 'Choisissez câble ou prise',
    current_type: 'Choisissez le courant',
    kw_rating: 'Saisissez la puissance en kW',
    password: 'Saisissez un nouveau mot de passe',
    passwordConfirm: 'Saisissez à nouveau le même mot de passe',
  },
  fieldErrors: {
    validation_required: () => 'Remplissez ce champ',
    validation_min_text_constraint: (p) => `Utilisez au moins ${text(p, 'min')} caractères`,
    validation_max_text_constraint: (p) => `Utilisez au plus ${text(p, 'max')} caractères`,
    validation_length_too_long: (p) => `${text(p, 'max')} au maximum`,
    validation_invalid_format: (p) =>
      'example' in p
        ? `Écrivez-le ainsi : ${text(p, 'example')}`
        : 'Certains caractères ne peuvent pas être utilisés ici',
    validation_is_email: () => 'Saisissez une adresse e-mail telle que nom@example.com',
    validation_invalid_url: () => 'Saisissez une adresse web telle que example.com',
    validation_not_a_number: () => 'Saisissez un nombre',
    validation_only_int_constraint: () => 'Saisissez un nombre entier',
    validation_min_number_constraint: (p) => `Saisissez ${text(p, 'min')} ou plus`,
    validation_max_number_constraint: (p) => `Saisissez ${text(p, 'max')} ou moins`,
    validation_above_number_constraint: (p) => `Saisissez plus de ${text(p, 'above')}`,
    validation_invalid_value: () => 'Choisissez une des valeurs proposées',
    validation_too_many_values: (p) => `Choisissez-en au plus ${text(p, 'maxSelect')}`,
    validation_invalid_json: () => 'Ceci est illisible',
    validation_json_size_limit: () => 'C’est trop volumineux pour être enregistré',
    validation_json_shape: () => 'Une partie n’est pas correcte',
    validation_missing_rel_records: () => 'L’élément auquel cela appartient n’existe plus',
    validation_too_many_referring: (p) => `La limite de ${text(p, 'max')} est atteinte`,
    validation_too_many_distinct: (p) => `N’en utilisez pas plus de ${text(p, 'max')} différents`,
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} dépasse ${megabytes('fr', p, 'maxSize')} Mo`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} n’est pas une image utilisable (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} a plus de ${millions('fr', p, 'maxPixels')} millions de pixels. Réduisez-la ou exportez-la en JPEG`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} est trop grande : le plus long côté peut avoir ${text(p, 'maxSide')} pixels`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} contient plus de ${megabytes('fr', p, 'maxSize')} Mo de métadonnées. Exportez-la sans métadonnées`,
    validation_too_many_files: (p) => `Choisissez-en au plus ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) =>
      `Ces fichiers n’ont pas pu être utilisés : ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'Cela existe déjà',
    validation_record_in_use: () => 'Cet élément est encore utilisé',
    validation_values_mismatch: () => 'Les deux valeurs diffèrent',
    validation_length_out_of_range: (p) =>
      `Utilisez de ${text(p, 'min')} à ${text(p, 'max')} caractères`,
    validation_in_invalid: () => 'Choisissez une des valeurs proposées',
    validation_max_less_equal_than_required: (p) => `Choisissez au plus ${text(p, 'threshold')}`,
    validation_invalid_token: () => 'Ce lien n’est plus valable',
    validation_invalid_token_claims: () => 'Ce lien est incomplet',
    validation_token_collection_mismatch: () => 'Ce lien concerne un autre type de compte',
    validation_token_email_mismatch: () => 'Ce lien concerne une autre adresse e-mail',
  },

  // Site
  site: {
    notFoundTitle: 'Ce site n’existe plus',
    notFound: 'Il a peut-être été supprimé sur un autre appareil.',
    deletedTitle: 'Ce site a été supprimé sur un autre appareil.',
    deletedText: (photos: number) =>
      photos === 0
        ? 'Votre saisie est toujours là.'
        : 'Votre saisie est toujours là. Les photos enregistrées sont supprimées.',
    addAnother: 'Enregistrer et ajouter un site semblable',
    addAgain: 'L’ajouter comme nouveau site',
    chooseTitle: 'Quel site voulez-vous modifier ?',
    whereTitle: 'Où se trouve-t-il ?',
    addressHint: 'Rue, numéro, code postal et ville.',
    useLocation: 'Utiliser ma position',
    locating: 'Recherche de votre position…',
    located: (metres) => `Position relevée, précise à environ ${metres} m.`,
    locationDenied:
      'Ce navigateur ne donne pas accès à la position. Saisissez ou collez les coordonnées.',
    locationFailed: 'Votre position est introuvable. Saisissez ou collez les coordonnées.',
    needsPosition:
      'Indiquez la position : choisissez une adresse, utilisez votre position ou saisissez les coordonnées',
    coordinatesHint:
      'Collez un couple tel que « 55,2044 ; -6,6531 » ou un lien de carte dans l’un des champs : les deux se remplissent.',
    pastedBoth: 'Les deux coordonnées sont remplies.',
    shortLink:
      'Les liens courts ne contiennent pas la position. Ouvrez le lien, puis copiez l’adresse de la barre d’adresse.',
    detailsTitle: 'Détails',
    nameHint: 'Ce que cherchent les voyageurs, par exemple le nom sur le panneau.',
    statusHints: {
      AVAILABLE: 'On peut y recharger maintenant',
      PLANNED: 'Pas encore construit ou mis en service',
      INOPERATIVE: 'Fermé pour l’instant, pas en panne',
      OUTOFORDER: 'En panne, à réparer',
      REMOVED: 'Ne reviendra pas',
    },
    statusByMachine: 'Signalé par la borne. Il reste tant que vous n’en choisissez pas un autre.',
    capacityHint: 'Combien de véhicules peuvent recharger en même temps.',
    chargePoints: (count: number) =>
      plural(count, {
        one: `${number(count)} point de charge`,
        other: `${number(count)} points de charge`,
      }),
    capacityDoubt: (vehicles, plugs) => `${vehicles} pour ${plugs}. Est-ce exact ?`,
    fewer: 'Un de moins',
    more: 'Un de plus',
    costHint: 'Avec vos mots.',
    costSuggestions: ['Gratuit', 'Gratuit pour les clients'],
    takeSuggestion: (value) => `Utiliser « ${value} »`,
    preview: 'Voir comme un voyageur',
    previewTitle: 'Ce que voit un voyageur',
    closePreview: 'Fermer',
    confirm: 'Confirmer ces informations',
    confirmed: (day: string) => `Confirmé par vous le ${day.replace(/^1(?=\s)/, '1er')}`,
    confirmThanks: 'Merci. Les voyageurs voient que vous les avez confirmées aujourd’hui.',
    contactTitle: 'Contact',
    contactHint: 'Les voyageurs voient les deux.',
    sections: {
      hours: { title: 'Horaires d’ouverture', hint: '24 h/24 ou jour par jour' },
      price: { title: 'Prix', hint: 'Ce que cela coûte et comment payer' },
      more: { title: 'Bon à savoir', hint: 'Accès, stationnement, services, détail de l’adresse' },
    },
    add: 'Ajouter le site',
    save: 'Enregistrer',
    saved: (name) => `${name} enregistré`,
  },

  // Location
  location: {
    addressHint:
      'Tapez pour chercher. Les coordonnées et les liens d’applications de cartes sont aussi acceptés.',
    addressHintPlain:
      'Rue, numéro, code postal et ville. Les coordonnées et les liens d’applications de cartes sont aussi acceptés.',
    suggestions: 'Adresses',
    found: (count) =>
      plural(count, {
        one: `${number(count)} adresse trouvée. Choisissez avec les flèches et Entrée.`,
        other: `${number(count)} adresses trouvées. Choisissez avec les flèches et Entrée.`,
      }),
    foundNone: 'Aucune adresse trouvée.',
    useTyped: 'Garder exactement ce que j’ai saisi',
    takeCoordinates: (pair) => `Utiliser les coordonnées ${pair}`,
    searchDown:
      'La recherche d’adresses est indisponible. Saisissez l’adresse et indiquez la position ci-dessous.',
    searchBusy:
      'Trop de recherches en peu de temps. Continuez à taper ; les suggestions reviendront dans une minute.',
    linkWithoutPlace:
      'Ce lien ne contient aucune position. Ouvrez-le et copiez plutôt les coordonnées.',
    following: 'Ouverture du lien…',
    addressFound: 'L’adresse en a été déduite. Veuillez la vérifier.',
    takeAddress: (address) => `Utiliser l’adresse ${address}`,
    addressPosition: 'Adresse et coordonnées remplies.',
    openMap: 'Indiquer sur une carte',
    adjustMap: 'Ajuster sur une carte',
    mapTitle: 'Indiquer la position',
    mapHelp: 'Déplacez la carte jusqu’à ce que le repère soit sur les bornes.',
    mapKeys: 'Les flèches déplacent la carte, + et − changent l’échelle.',
    mapLabel: 'Carte sous un repère fixe',
    withoutMap: 'Saisissez ou collez plutôt les coordonnées.',
    usePosition: 'Utiliser cette position',
    closeMap: 'Fermer la carte',
    positionTaken: 'Position reprise de la carte.',
  },

  // Connectors
  format: { SOCKET: 'Prise : apportez votre câble', CABLE: 'Câble fixe' },
  currentType: {
    AC_1_PHASE: 'AC, monophasé',
    AC_2_PHASE: 'AC, deux phases sur trois',
    AC_2_PHASE_SPLIT: 'AC, phase divisée (split-phase, Amérique du Nord)',
    AC_3_PHASE: 'AC, triphasé',
    DC: 'DC',
  },
  connectors: {
    title: 'Connecteurs',
    hint: 'Une ligne par type de prise, avec leur nombre.',
    addPreset: 'Ajouter un connecteur',
    otherPreset: 'Autre…',
    presetLabel: (label) => `Ajouter ${label}`,
    none: 'Pas encore de connecteur. Choisissez-en un ci-dessus.',
    position: (position) => `Connecteur ${position}`,
    blank: 'Nouveau connecteur',
    quantity: (position) => `Nombre pour le connecteur ${position}`,
    fewer: (position) => `Un de moins pour le connecteur ${position}`,
    more: (position) => `Un de plus pour le connecteur ${position}`,
    quantityLimits: (max) =>
      `Saisissez un nombre de 1 à ${number(max)}. Ajoutez les autres sur une autre ligne.`,
    ownChargePoint: 'Chacun le sien',
    sharedWith: (position: number, plugs: string) =>
      `Partagé avec le connecteur ${position} : ${plugs}`,
    oneAtATime: (points: string, plugs: string) => `${points} : ${plugs}, un seul à la fois`,
    chargePointsTitle: 'Points de charge',
    separate: (plugs: string) => (plugs === '' ? 'Séparer' : `Séparer : ${plugs}`),
    chargePointHint: 'Les connecteurs d’un point de charge ne s’utilisent qu’un à la fois.',
    moreTitle: 'Plus de détails',
    moreHint: 'Tarif propre, identifiants, tension, intensité',
    numbered: (position) => `N° ${number(position)}`,
    sameAsSite: 'Celui du site',
    pasteList: 'Collez une liste pour en remplir plusieurs à la fois.',
    duplicate: (position) => `Dupliquer le connecteur ${position}`,
    remove: (position) => `Retirer le connecteur ${position}`,
    removed: (what) => `Retiré : ${what}`,
    done: 'Terminé',
    choose: 'Choisir…',
    search: 'Chercher par nom',
    common: 'Courantes',
    others: 'Toutes les autres',
    noMatch: 'Aucune prise ne porte ce nom.',
    notSaved: 'Non enregistré.',
    someNotSaved: (failed, total) =>
      plural(failed, {
        one: `${number(failed)} sur ${number(total)} n’a pas été enregistré.`,
        other: `${number(failed)} sur ${number(total)} n’ont pas été enregistrés.`,
      }),
    warnings: {
      power: (kw) => `${kw} kW : est-ce exact ?`,
      powerOfPlug: (kw, plug, max) =>
        `${plug} dépasse rarement ${max} kW. ${kw} kW : est-ce exact ?`,
      dcOnly: (plug) => `${plug} recharge en courant continu (DC). Le courant est-il exact ?`,
      acOnly: (plug) => `${plug} recharge en courant alternatif (AC). Le courant est-il exact ?`,
      currentOfPlug: (plug, usual) =>
        `${plug} va d’ordinaire avec ${usual}. Le courant est-il exact ?`,
      currentOfPower: (kw, usual) =>
        `${kw} kW va d’ordinaire avec ${usual}. Le courant est-il exact ?`,
      cable: (plug) => `${plug} a d’ordinaire un câble fixe. Est-ce bien une prise ?`,
      socket: (plug) => `${plug} est d’ordinaire une prise. Y a-t-il bien un câble fixe ?`,
    },
  },

  // Photos
  photos: {
    hint: 'La première est la couverture et apparaît dans la liste. Montrez l’entrée, les places, les prises et le panneau.',
    dropHint: 'Vous pouvez aussi déposer des photos ici, ou les coller.',
    dropHere: 'Déposez les photos ici',
    choose: 'Choisir des photos',
    take: 'Prendre une photo',
    count: (count, max) => `${count} sur ${max}`,
    photo: (position) => `Photo ${position}`,
    newPhoto: (name) => `Nouvelle : ${name}`,
    cover: 'Couverture',
    category: (label) => `Sujet : ${label}`,
    noCategory: 'Que montre-t-elle ?',
    makeCover: (label) => `Mettre en couverture : ${label}`,
    moveLeft: (label) => `Vers la gauche : ${label}`,
    moveRight: (label) => `Vers la droite : ${label}`,
    moved: (label, position, count) =>
      `${label} est maintenant en position ${position} sur ${count}`,
    remove: (label) => `Retirer : ${label}`,
    willGo: 'Retirée à l’enregistrement',
    willNotCome: 'Ne sera pas ajoutée',
    undo: (label) => `Rétablir : ${label}`,
    tooMany: (max) => `Un site peut avoir ${max} photos. Les autres ont été laissées de côté.`,
    tooLarge: (name, limit) =>
      `${name} dépasse ${limit} Mo, même réduite. Elle a été laissée de côté.`,
    preparing: 'Préparation…',
    waiting: 'En attente…',
    uploading: (percent) => `Envoi : ${percent}`,
    processing: 'Enregistrement…',
    done: 'Envoyée',
    failed: 'Non enregistrée.',
    retry: (label) => `Réessayer : ${label}`,
    progress: (done, total) => `Photos envoyées : ${done} sur ${total}`,
    progressOfAll: (percent) => `Envoi des photos : ${percent} %`,
    partlySaved:
      'Tout le reste est enregistré. Les photos manquantes sont signalées ci-dessous ; réessayez.',
    position: (name, place) => `${name} a été prise à ${place}.`,
    usePosition: 'Utiliser la position de cette photo pour le repère',
    ignorePosition: 'Non, merci',
    positionUsed: 'Le repère est à l’endroit où la photo a été prise.',
    positionPrivacy: 'La position n’est pas envoyée avec la photo.',
  },
} satisfies Catalogue['form']
