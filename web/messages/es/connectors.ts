import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** The connectors of a site, in Spanish. */
export default {
  connectors: {
    title: 'Conectores',
    hint: 'Una fila por cada tipo de conector, con cuántos hay.',
    addPreset: 'Añadir un conector',
    otherPreset: 'Otro…',
    presetLabel: (label) => `Añadir ${label}`,
    none: 'Aún sin conectores. Elija uno arriba.',
    position: (position) => `Conector ${position}`,
    blank: 'Conector nuevo',
    quantity: (position) => `Cantidad del conector ${position}`,
    fewer: (position) => `Uno menos del conector ${position}`,
    more: (position) => `Uno más del conector ${position}`,
    duplicate: (position) => `Duplicar conector ${position}`,
    remove: (position) => `Quitar conector ${position}`,
    removed: (what) => `Quitado: ${what}`,
    done: 'Listo',
    standard: 'Tipo de conector',
    choose: 'Elegir…',
    search: 'Buscar por nombre',
    common: 'Habituales',
    others: 'Todos los demás',
    noMatch: 'Ningún conector se llama así.',
    format: 'Cable o toma',
    currentType: 'Corriente',
    kwRating: 'Potencia en kW',
    notSaved: 'No se guardó.',
    someNotSaved: (failed, total) =>
      plural(failed, {
        one: `No se guardó 1 de ${number(total)}.`,
        other: `No se guardaron ${number(failed)} de ${number(total)}.`,
      }),
    doubts: {
      power: (kw) => `¿Son correctos ${kw} kW?`,
      powerOfPlug: (kw, plug, max) => `${plug} rara vez supera ${max} kW. ¿Son correctos ${kw} kW?`,
      dcOnly: (plug) => `${plug} carga con corriente continua (DC). ¿Es correcta la corriente?`,
      acOnly: (plug) => `${plug} carga con corriente alterna (AC). ¿Es correcta la corriente?`,
      currentOfPlug: (plug, usual) => `${plug} suele ir con ${usual}. ¿Es correcta la corriente?`,
      currentOfPower: (kw, usual) => `${kw} kW suele ir con ${usual}. ¿Es correcta la corriente?`,
      cable: (plug) => `${plug} suele tener el cable incluido. ¿Es correcta la toma?`,
      socket: (plug) => `${plug} suele ser una toma. ¿Es correcto el cable incluido?`,
    },
  },
} satisfies Catalogue['connectors']
