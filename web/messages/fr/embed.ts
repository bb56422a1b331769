import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** Les pages à intégrer, l’affiche, et comment les obtenir, en français. */
export default {
  embed: {
    details: 'Détails et itinéraire',
    newTab: 's’ouvre dans un nouvel onglet',
    sites: (count) =>
      plural(count, {
        one: '1 station de recharge',
        other: `${number(count)} stations de recharge`,
      }),
    map: (name) => `Carte des stations de recharge de ${name}`,
    missing: 'La carte ne peut pas être affichée ici. La liste contient toutes les stations.',
    keys: 'Les flèches déplacent la carte, plus et moins zooment. Entrée ouvre ce qui est au centre.',
    more: 'Plus de stations',
    button: 'Sur votre site web ou en affiche',
    buttonAll: 'Mettre la carte de vos stations sur votre site web',
    title: 'Sur votre site web',
    text: 'Copiez ceci dans la page de votre site web où la station doit apparaître. Elle reste à jour d’elle-même.',
    textAll:
      'Copiez ceci dans la page de votre site web où vos stations doivent apparaître. Les nouvelles s’ajoutent d’elles-mêmes.',
    code: 'HTML pour votre site web',
    copy: 'Copier',
    copied: 'Copié',
    preview: 'Ce que voient vos visiteurs',
    frameTitle: (name) => `Recharge chez ${name}`,
    close: 'Fermer',
  },
  poster: {
    link: 'Affiche à imprimer',
    headline: 'Rechargez votre voiture électrique ici',
    pay: 'Moyens de paiement',
    print: 'Imprimer',
  },
} satisfies Catalogue['embed']
