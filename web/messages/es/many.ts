import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** Bulk updates and queued changes, in Spanish. */
export default {
  many: {
    bar: 'Cambiar varias ubicaciones',
    nothing: 'Seleccione las ubicaciones que quiere cambiar.',
    chosen: (count) =>
      plural(count, {
        one: '1 ubicación seleccionada',
        other: `${number(count)} ubicaciones seleccionadas`,
      }),
    hidden: (count) =>
      plural(count, {
        one: '1 de ellas no está en esta lista',
        other: `${number(count)} de ellas no están en esta lista`,
      }),
    all: (count) => `Seleccionar todas (${number(count)})`,
    clear: 'Anular la selección',
    change: 'Cambiar',
    end: 'Terminar la selección',
    title: (count) =>
      plural(count, { one: 'Cambiar 1 ubicación', other: `Cambiar ${number(count)} ubicaciones` }),
    mixed: 'Estas ubicaciones tienen ahora valores distintos.',
    clears: 'Déjelo vacío para borrarlo en todas.',
    addsExceptions:
      'Si solo indica excepciones, se añaden al horario de cada ubicación que tenga uno.',
    set: (count) =>
      plural(count, {
        one: 'Aplicar a 1 ubicación',
        other: `Aplicar a ${number(count)} ubicaciones`,
      }),
    now: (label: string) => `${label}: ahora`,
    same: 'Todas estas ubicaciones ya tienen este valor.',
    progress: (settled, total) => `${number(settled)} de ${number(total)} ubicaciones cambiadas`,
    done: (count) =>
      plural(count, {
        one: `1 ubicación cambiada`,
        other: `${number(count)} ubicaciones cambiadas`,
      }),
    undoing: (settled, total) => `Deshaciendo: ${number(settled)} de ${number(total)} ubicaciones`,
    undone: 'El cambio se ha deshecho.',
    refused: (count) =>
      plural(count, {
        one: '1 ubicación queda como estaba',
        other: `${number(count)} ubicaciones quedan como estaban`,
      }),
    sent: (count) =>
      plural(count, {
        one: 'Se ha enviado 1 cambio',
        other: `Se han enviado ${number(count)} cambios`,
      }),
    more: (count) => `y ${number(count)} más`,
  },
} satisfies Catalogue['many']
