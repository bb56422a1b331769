import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const list = lists('es')
const number = counts('es')
const plural = plurals('es')

/** The non-zero numbers of sites and connectors. */
const places = (sites: number, connectors: number): string =>
  list([
    ...(sites > 0
      ? [plural(sites, { one: '1 ubicación', other: `${number(sites)} ubicaciones` })]
      : []),
    ...(connectors > 0
      ? [plural(connectors, { one: '1 conector', other: `${number(connectors)} conectores` })]
      : []),
  ])

/** One o'clock is singular. */
const hour = (time: string): string => `${/^0?1:/.test(time) ? 'la' : 'las'} ${time}`

/** `el primer kWh`, but `los primeros 2 kWh` */
const firsts = (quantity: string): string =>
  /^1\s\D/.test(quantity) ? `el primer${quantity.slice(1)}` : `los primeros ${quantity}`

/** Prices, in Spanish. */
export default {
  tariffs: {
    lead: 'Una tarifa puede aplicarse en tantas ubicaciones como quiera. Cámbiela aquí y cambiará en todas.',
    noneTitle: 'Todavía no hay tarifas',
    none: 'Indique una sola vez cuánto cuesta la carga y aplíquelo en tantas ubicaciones como quiera.',
    add: 'Añadir tarifa',
    usedAt: (sites, connectors) =>
      sites + connectors === 0 ? 'Todavía sin usar' : `En uso en ${places(sites, connectors)}`,
    moreSites: (count) => `y ${number(count)} más`,
    changes: (sites, connectors) => `Cambia la tarifa en ${places(sites, connectors)}`,
    menu: (name) => `Acciones para ${name}`,
    duplicate: 'Duplicar',
    copyOf: (name) => `${name} (copia)`,
    removeTitle: (name) => `¿Eliminar ${name}?`,
    removeText: 'No se usa en ninguna parte.',
    inUse: 'Elija la tarifa que se aplicará allí en su lugar.',
    undoable: 'Puede deshacerlo durante 8 segundos.',
    instead: 'Nueva tarifa',
    noPrice: 'Sin tarifa',
    insteadOfCost: 'Los viajeros ven esta tarifa en lugar de su texto.',
    replace: 'Cambiar y eliminar',
    save: 'Guardar la tarifa',
    saved: (name) => `${name} guardada`,
    notFound: 'Esta tarifa ya no existe.',
    deletedTitle: 'Esta tarifa se ha eliminado en otro dispositivo.',
    deletedText: 'Lo que escribió sigue aquí.',
    addAgain: 'Añadirla como tarifa nueva',
    nameHint: 'Por ejemplo, «Estándar» o «Huéspedes».',
    pricesTitle: 'Cuánto cuesta la carga',
    isFree: 'La carga es gratuita',
    part: (position) => `Precio ${position}`,
    amounts: {
      energy: (currency) => `Energía, ${currency} por kWh`,
      time: {
        minute: (currency) => `Tiempo de carga, ${currency} por minuto`,
        hour: (currency) => `Tiempo de carga, ${currency} por hora`,
      },
      idle: {
        minute: (currency) => `Ocupación, ${currency} por minuto`,
        hour: (currency) => `Ocupación, ${currency} por hora`,
      },
      flat: (currency) => `Cuota de inicio, ${currency}`,
    },
    unusual: (currency: string) => `Inusualmente alto. El importe está en ${currency}.`,
    timeHint: 'Mientras el vehículo carga.',
    idleHint: 'Mientras siga enchufado una vez terminada la carga.',
    timeUnit: 'El tiempo se cobra por',
    units: { minute: 'minuto', hour: 'hora' },
    conditions: 'Cuándo se aplica',
    always: 'Siempre',
    conditionsHint: 'Deje vacío lo que no importe.',
    current: 'Corriente',
    anyCurrent: 'AC y DC',
    plugs: 'Conectores',
    days: 'Días',
    bounds: {
      from: 'Desde (hora)',
      until: 'Hasta (hora)',
      minMinutes: 'Después de (minutos)',
      maxMinutes: 'Durante los primeros (minutos)',
      minKwh: 'A partir de (kWh)',
      maxKwh: 'Para los primeros (kWh)',
      minKw: 'Desde una potencia de (kW)',
      maxKw: 'Por debajo de una potencia de (kW)',
    },
    kept: (what) => `Se conserva como se importó: ${what}`,
    forReservation: 'para reservas',
    addPart: 'Añadir un precio para otras horas, conectores o potencias',
    firstCounts: 'Si pueden aplicarse varios precios, cuenta el primero.',
    moveUp: (position) => `Subir el precio ${position}`,
    removePart: (position) => `Quitar el precio ${position}`,
    moreTitle: 'Límites e impuestos',
    vat: 'IVA en %',
    severalVats: 'Los precios tienen tipos de IVA distintos, que se conservan.',
    limitHint: 'Por cada sesión.',
    wrongNumber: 'Introduzca un número como 0,59',
    needsPrice: 'Introduzca al menos un precio',
    checkPrices: 'Revise los precios marcados',
    previewTitle: 'Lo que leen los viajeros',
    emptyPreview: 'Introduzca un precio para leerlo en una frase.',
    exampleTitle: 'Ejemplo',
    example: {
      kwh: 'Energía en kWh',
      minutes: 'Carga, en minutos',
      idle: 'Ocupación, en minutos',
      kw: 'Potencia en kW',
      plug: 'Conector',
      day: 'Día',
      time: 'Hora',
    },
    costs: (kwh, duration, amount) => `${kwh} en ${duration}: ${amount}`,
    costsIdle: (kwh, duration, idle, amount) =>
      `${kwh} en ${duration} y luego ${idle} de ocupación: ${amount}`,
    withVat: (amount) => `${amount} con IVA`,
  },

  tariffSentence: {
    free: 'gratis',
    perKwh: (amount) => `${amount} por kWh`,
    perSession: (amount) => `${amount} por sesión`,
    perTime: {
      minute: {
        always: (amount) => `${amount} por minuto`,
        charging: (amount) => `${amount} por minuto de carga`,
        idle: (amount) => `${amount} por minuto tras finalizar la carga`,
      },
      hour: {
        always: (amount) => `${amount} por hora`,
        charging: (amount) => `${amount} por hora de carga`,
        idle: (amount) => `${amount} por hora tras finalizar la carga`,
      },
    },
    once: (amount) => `${amount} una sola vez`,
    steps: (size) => `(en tramos de ${size})`,
    plus: ', más ',
    apart: '; ',
    otherwise: (price) => `en los demás casos ${price}`,
    duration: {
      from: (from) => `después de ${from}`,
      until: {
        minute: (until) => `durante ${firsts(until)}`,
        hour: (until) => `durante las primeras ${until}`,
      },
      between: (from, until) => `entre ${from} y ${until}`,
      inTotal: (from) => `a partir de ${from} en total`,
    },
    energy: {
      from: (from) => `a partir de ${from}`,
      until: (until) => `para ${firsts(until)}`,
      between: (from, until) => `entre ${from} y ${until}`,
    },
    power: {
      from: (from) => `con ${from} o más`,
      until: (until) => `con menos de ${until}`,
      between: (from, until) => `desde ${from} hasta menos de ${until}`,
    },
    hours: {
      from: (from) => `desde ${hour(from)}`,
      until: (until) => `hasta ${hour(until)}`,
      between: (from, until) => `de ${from} a ${until}`,
    },
    dates: {
      from: (from) => `a partir del ${from}`,
      until: (until) => `hasta el ${until}`,
      between: (from, until) => `del ${from} al ${until}`,
    },
    days: (spans) =>
      list(
        spans.map(({ from, to }) =>
          to === undefined ? `los ${everyDay(from)}` : `de ${from} a ${to}`,
        ),
      ),
    current: { AC: 'en AC', DC: 'en DC' },
    currentOnly: { AC: 'solo en AC', DC: 'solo en DC' },
    plugs: (names) => `con ${list(names)}`,
    plugsOnly: (names) => `solo con ${list(names)}`,
    limits: {
      from: (from) => `al menos ${from} por sesión`,
      until: (until) => `como máximo ${until} por sesión`,
      between: (from, until) => `entre ${from} y ${until} por sesión`,
    },
    taxes: (vat) => (vat === undefined ? 'impuestos no incluidos' : `IVA del ${vat} no incluido`),
    reservation: (price) => `reserva: ${price}`,
    expiredReservation: (price) => `reserva caducada: ${price}`,
  },
} satisfies Catalogue['tariffs']

/** `los sábados`, but `los lunes` */
const everyDay = (day: string): string => (day.endsWith('s') ? day : `${day}s`)
