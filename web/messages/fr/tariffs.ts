import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const list = lists('fr')
const number = counts('fr')
const plural = plurals('fr')

/** French writes the first of a month as `1er janvier`. */
const first = (date: string): string => date.replace(/^1(?=\s)/, '1er')

/** The non-zero numbers of sites and connectors. */
const places = (sites: number, connectors: number): string =>
  list([
    ...(sites > 0 ? [plural(sites, { one: '1 site', other: `${number(sites)} sites` })] : []),
    ...(connectors > 0
      ? [plural(connectors, { one: '1 connecteur', other: `${number(connectors)} connecteurs` })]
      : []),
  ])

/** `le premier kWh`, but `les 2 premiers kWh` */
const firsts = (quantity: string, one: string, many: string): string =>
  /^1\s\D/.test(quantity)
    ? one + quantity.slice(1)
    : `les ${quantity.replace(/\s(?=\D+$)/, ` ${many} `)}`

/** Prices, in French. */
export default {
  tariffs: {
    lead: 'Un tarif peut s’appliquer à autant de sites que vous voulez. Modifiez-le ici, et il change partout.',
    noneTitle: 'Aucun tarif pour l’instant',
    none: 'Indiquez une fois ce que coûte la recharge et utilisez-le sur autant de sites que vous voulez.',
    add: 'Ajouter un tarif',
    usedAt: (sites, connectors) =>
      sites + connectors === 0 ? 'Pas encore utilisé' : `Utilisé pour ${places(sites, connectors)}`,
    moreSites: (count) => `et ${number(count)} de plus`,
    changes: (sites, connectors) => `Change le tarif pour ${places(sites, connectors)}`,
    menu: (name) => `Actions pour ${name}`,
    duplicate: 'Dupliquer',
    copyOf: (name) => `${name} (copie)`,
    removeTitle: (name) => `Supprimer ${name} ?`,
    removeText: 'Il n’est utilisé nulle part.',
    inUse: 'Choisissez le tarif qui s’y appliquera à la place.',
    undoable: 'Vous pouvez le rétablir pendant 8 secondes.',
    instead: 'Nouveau tarif',
    noPrice: 'Aucun tarif',
    insteadOfCost: 'Les voyageurs voient ce tarif à la place de votre texte.',
    replace: 'Changer et supprimer',
    save: 'Enregistrer le tarif',
    saved: (name) => `${name} enregistré`,
    notFound: 'Ce tarif n’existe plus.',
    deletedTitle: 'Ce tarif a été supprimé sur un autre appareil.',
    deletedText: 'Votre saisie est toujours là.',
    addAgain: 'L’ajouter comme nouveau tarif',
    nameHint: 'Par exemple « Standard » ou « Clients de l’hôtel ».',
    pricesTitle: 'Ce que coûte la recharge',
    isFree: 'La recharge est gratuite',
    part: (position) => `Prix ${position}`,
    amounts: {
      energy: (currency) => `Énergie, ${currency} par kWh`,
      time: {
        minute: (currency) => `Temps de charge, ${currency} par minute`,
        hour: (currency) => `Temps de charge, ${currency} par heure`,
      },
      idle: {
        minute: (currency) => `Occupation, ${currency} par minute`,
        hour: (currency) => `Occupation, ${currency} par heure`,
      },
      flat: (currency) => `Frais de session, ${currency}`,
    },
    unusual: (currency: string) => `Inhabituellement élevé. Le montant est en ${currency}.`,
    timeHint: 'Tant que le véhicule charge.',
    idleHint: 'Tant que le véhicule reste branché après la charge.',
    timeUnit: 'Le temps est facturé par',
    units: { minute: 'minute', hour: 'heure' },
    conditions: 'Quand il s’applique',
    always: 'Toujours',
    conditionsHint: 'Laissez vide ce qui ne change rien.',
    current: 'Courant',
    anyCurrent: 'AC et DC',
    plugs: 'Prises',
    days: 'Jours',
    bounds: {
      from: 'À partir de (heure)',
      until: 'Jusqu’à (heure)',
      minMinutes: 'Après (minutes)',
      maxMinutes: 'Pendant les premières (minutes)',
      minKwh: 'Au-delà de (kWh)',
      maxKwh: 'Pour les premiers (kWh)',
      minKw: 'À partir d’une puissance de (kW)',
      maxKw: 'En dessous d’une puissance de (kW)',
    },
    kept: (what) => `Conservé tel qu’il a été importé : ${what}`,
    forReservation: 'pour les réservations',
    addPart: 'Ajouter un prix pour d’autres heures, prises ou puissances',
    firstCounts: 'Si plusieurs prix peuvent s’appliquer, c’est le premier qui compte.',
    moveUp: (position) => `Monter le prix ${position}`,
    removePart: (position) => `Retirer le prix ${position}`,
    moreTitle: 'Limites et taxes',
    vat: 'TVA en %',
    severalVats: 'Les prix ont des taux différents, qui sont conservés.',
    limitHint: 'Pour chaque session.',
    wrongNumber: 'Saisissez un nombre comme 0,59',
    needsPrice: 'Saisissez au moins un prix',
    checkPrices: 'Vérifiez les prix signalés',
    previewTitle: 'Ce que lisent les voyageurs',
    emptyPreview: 'Saisissez un prix pour le lire sous forme de phrase.',
    exampleTitle: 'Exemple',
    example: {
      kwh: 'Énergie en kWh',
      minutes: 'Charge, en minutes',
      idle: 'Occupation, en minutes',
      kw: 'Puissance en kW',
      plug: 'Prise',
      day: 'Jour',
      time: 'Heure',
    },
    costs: (kwh, duration, amount) => `${kwh} en ${duration} : ${amount}`,
    costsIdle: (kwh, duration, idle, amount) =>
      `${kwh} en ${duration}, puis ${idle} d’occupation : ${amount}`,
    withVat: (amount) => `${amount} TVA comprise`,
  },

  tariffSentence: {
    free: 'gratuit',
    perKwh: (amount) => `${amount} par kWh`,
    perSession: (amount) => `${amount} par session`,
    perTime: {
      minute: {
        always: (amount) => `${amount} par minute`,
        charging: (amount) => `${amount} par minute de charge`,
        idle: (amount) => `${amount} par minute après la fin de la charge`,
      },
      hour: {
        always: (amount) => `${amount} par heure`,
        charging: (amount) => `${amount} par heure de charge`,
        idle: (amount) => `${amount} par heure après la fin de la charge`,
      },
    },
    once: (amount) => `${amount} une fois`,
    steps: (size) => `(par tranche de ${size})`,
    plus: ', plus ',
    apart: ' ; ',
    otherwise: (price) => `sinon ${price}`,
    duration: {
      from: (from) => `après ${from}`,
      until: {
        minute: (until) => `pendant ${firsts(until, 'la première', 'premières')}`,
        hour: (until) => `pendant ${firsts(until, 'la première', 'premières')}`,
      },
      between: (from, until) => `entre ${from} et ${until}`,
      inTotal: (from) => `au-delà de ${from} au total`,
    },
    energy: {
      from: (from) => `au-delà de ${from}`,
      until: (until) => `pour ${firsts(until, 'le premier', 'premiers')}`,
      between: (from, until) => `entre ${from} et ${until}`,
    },
    power: {
      from: (from) => `à partir de ${from}`,
      until: (until) => `en dessous de ${until}`,
      between: (from, until) => `de ${from} à moins de ${until}`,
    },
    hours: {
      from: (from) => `à partir de ${from}`,
      until: (until) => `jusqu’à ${until}`,
      between: (from, until) => `de ${from} à ${until}`,
    },
    dates: {
      from: (from) => `à partir du ${first(from)}`,
      until: (until) => `jusqu’au ${first(until)}`,
      between: (from, until) => `du ${first(from)} au ${first(until)}`,
    },
    days: (spans) =>
      list(spans.map(({ from, to }) => (to === undefined ? `le ${from}` : `du ${from} au ${to}`))),
    current: { AC: 'en AC', DC: 'en DC' },
    currentOnly: { AC: 'en AC uniquement', DC: 'en DC uniquement' },
    plugs: (names) => `avec ${list(names)}`,
    plugsOnly: (names) => `avec ${list(names)} uniquement`,
    limits: {
      from: (from) => `au moins ${from} par session`,
      until: (until) => `au plus ${until} par session`,
      between: (from, until) => `au moins ${from} et au plus ${until} par session`,
    },
    taxes: (vat) => (vat === undefined ? 'hors taxes' : `hors TVA (${vat})`),
    reservation: (price) => `réservation : ${price}`,
    expiredReservation: (price) => `réservation expirée : ${price}`,
  },
} satisfies Catalogue['tariffs']
