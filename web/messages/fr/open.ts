import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const list = lists('fr')

/** Open data, registers and embedded pages, in French. */
export default {
  open: {
    lead: (product) =>
      `Tous les sites de recharge publics de ${product}, dans le format qu’il vous faut. Sans clé ni compte ; tout programme ou site web peut les lire.`,
    sites: (count) =>
      plural(count, { one: `${number(count)} site`, other: `${number(count)} sites` }),
    changed: (when) => `Dernière modification : ${when}`,
    notLoaded: 'Les chiffres n’ont pas pu être chargés. Les adresses fonctionnent quand même.',
    formatsTitle: 'Formats proposés',
    formatsOf: (name) => `Formats : sites de l’entreprise ${name}`,
    formats: {
      ocpi: 'Pour les applications de recharge et l’itinérance : sites et tarifs, page par page, avec ce qui a été supprimé.',
      irve: 'Pour le registre français : une ligne par point de charge, comme l’attend transport.data.gouv.fr.',
      datex: 'Pour les points d’accès nationaux de l’UE, comme Mobilithek.',
      geojson: 'Pour les cartes et les logiciels géographiques, comme QGIS.',
      osm: 'Pour comparer avec OpenStreetMap, par exemple dans JOSM.',
      ocm: 'Pour les programmes qui lisent Open Charge Map.',
      csv: 'Pour les bases de données et vos propres programmes.',
      xlsx: 'Pour Excel, LibreOffice et Google Sheets.',
    },
    address: (format) => `Adresse : ${format}`,
    download: 'Télécharger',
    downloadOf: (format) => `Télécharger : ${format}`,
    size: (size) => `environ ${size}`,
    copy: 'Copier',
    copied: 'Copié',
    losses: 'Ce qui n’y figure pas',
    lossesOf: (format) => `Ce qui n’y figure pas : ${format}`,
    examplesTitle: 'Exemples',
    example: {
      whole: 'Tout, compressé pendant le transfert',
      since: 'Seulement ce qui a changé depuis un jour donné',
      again: 'Seulement si quelque chose a changé',
      ocpi: 'OCPI : les versions, puis page par page',
    },
    sinceText:
      'Avec since, vous recevez les sites modifiés depuis cette date. Les sites supprimés y figurent comme tels quand le format le permet.',
    businesses: (count) =>
      plural(count, { one: `${number(count)} entreprise`, other: `${number(count)} entreprises` }),
    businessesTitle: 'Entreprises et licences',
    businessesText:
      'Chaque entreprise choisit la licence de ses données. Citez l’entreprise comme source quand la licence le demande.',
    columns: {
      name: 'Entreprise',
      licence: 'Licence choisie',
      sites: 'Nombre de sites',
      changed: 'Dernière modification',
    },
    search: 'Trouver une entreprise',
    found: (some, all) => `Entreprises : ${number(some)} sur ${number(all)}`,
    noneFound: (text) => `Aucune entreprise ne correspond à « ${text} »`,
    more: 'Afficher plus',
    only: (name) => `Seulement les sites de l’entreprise ${name}`,
    all: 'Afficher toutes les entreprises',
    none: 'Aucun site n’est encore public.',
    feedsTitle: 'Vos flux',
    feedsText:
      'Donnez ces adresses à vos partenaires d’itinérance et aux registres pour qu’ils puissent lire vos sites publics. Les données sont toujours à jour.',
    allFormats: 'Tous les formats, avec des exemples',
  },

  registers: {
    names: {
      irve: 'Registre français (IRVE)',
      ocpi: 'Itinérance entre opérateurs (OCPI)',
      afir: 'Points d’accès de l’UE (AFIR)',
      osm: 'OpenStreetMap',
      ocm: 'Open Charge Map',
    },
    title: 'Registres',
    complete: (registers) => `Complet pour : ${list(registers)}`,
    completeForAll: (all) => `Complet pour les ${number(all)} registres`,
    incompleteFor: (some, all) =>
      plural(some, {
        one: `Encore incomplet pour ${number(some)} registre sur ${number(all)}`,
        other: `Encore incomplet pour ${number(some)} registres sur ${number(all)}`,
      }),
    needs: (register) => `Il manque encore pour ${register} :`,
    asks: (register) => `Souhaité également pour ${register} :`,
    lacking: (some, all) =>
      plural(some, {
        one: `${number(some)} site sur ${number(all)} est incomplet`,
        other: `${number(some)} sites sur ${number(all)} sont incomplets`,
      }),
    choose: (count) =>
      plural(count, { one: 'Choisir ce site', other: `Choisir ces ${number(count)} sites` }),
    chooseFor: (choose, label) => `${choose}\u00A0: ${label}`,
    ofBusiness: (registers, fields) =>
      `${list(registers)}\u00A0: informations manquantes sur votre entreprise (${list(fields)})`,
    feeds: (count) =>
      plural(count, { one: 'Un flux vous attend', other: `${number(count)} flux vous attendent` }),
  },

  embed: {
    details: 'Détails et itinéraire',
    newTab: 's’ouvre dans un nouvel onglet',
    sites: (count) =>
      plural(count, {
        one: `${number(count)} station de recharge`,
        other: `${number(count)} stations de recharge`,
      }),
    map: (name) => `Carte des stations de recharge de l’exploitant ${name}`,
    missing: 'La carte ne peut pas être affichée ici. La liste contient toutes les stations.',
    keys: 'Les flèches déplacent la carte, plus et moins changent l’échelle. Entrée ouvre ce qui est au centre.',
    more: 'Plus de stations',
    button: 'Afficher sur votre site web ou en affiche',
    buttonAll: 'Mettre la carte de vos stations sur votre site web',
    title: 'Sur votre site web',
    text: 'Copiez ceci dans la page de votre site web où la station doit apparaître. Elle reste à jour d’elle-même.',
    textAll:
      'Copiez ceci dans la page de votre site web où vos stations doivent apparaître. Les nouvelles s’ajoutent d’elles-mêmes.',
    code: 'HTML pour votre site web',
    copy: 'Copier',
    copied: 'Copié',
    preview: 'Ce que verront les visiteurs de votre site web',
    frameTitle: (name) => `Recharge chez ${name}`,
    close: 'Fermer',
  },
  poster: {
    link: 'Affiche à imprimer',
    headline: 'Rechargez votre voiture électrique ici',
    pay: 'Moyens de paiement',
    print: 'Imprimer',
  },
} satisfies Catalogue['open']
