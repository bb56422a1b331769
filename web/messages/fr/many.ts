import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** Bulk updates and queued changes, in French. */
export default {
  many: {
    bar: 'Modifier plusieurs sites',
    nothing: 'Sélectionnez les sites à modifier.',
    chosen: (count) =>
      plural(count, {
        one: `${number(count)} site sélectionné`,
        other: `${number(count)} sites sélectionnés`,
      }),
    hidden: (count) =>
      plural(count, {
        one: `dont ${number(count)} absent de cette liste`,
        other: `dont ${number(count)} absents de cette liste`,
      }),
    all: (count) => `Tout sélectionner (${number(count)})`,
    clear: 'Tout désélectionner',
    change: 'Modifier',
    end: 'Terminer la sélection',
    title: (count) =>
      plural(count, {
        one: `Modifier ${number(count)} site`,
        other: `Modifier ${number(count)} sites`,
      }),
    mixed: 'Ces sites ont actuellement des valeurs différentes.',
    clears: 'Laissez vide pour effacer la valeur partout.',
    addsExceptions:
      'Si vous n’indiquez que des exceptions, elles s’ajoutent aux horaires de chaque site qui en a.',
    set: (count) =>
      plural(count, {
        one: `Appliquer à ${number(count)} site`,
        other: `Appliquer à ${number(count)} sites`,
      }),
    now: (label: string) => `${label}\u00a0: maintenant`,
    same: 'Tous ces sites ont déjà cette valeur.',
    progress: (settled, total) => `Sites modifiés : ${number(settled)} sur ${number(total)}`,
    done: (count) =>
      plural(count, {
        one: `${number(count)} site modifié`,
        other: `${number(count)} sites modifiés`,
      }),
    undoing: (settled, total) => `Sites rétablis : ${number(settled)} sur ${number(total)}`,
    undone: 'La modification a été annulée.',
    refused: (count) =>
      plural(count, {
        one: `${number(count)} site reste inchangé`,
        other: `${number(count)} sites restent inchangés`,
      }),
    sent: (count) =>
      plural(count, {
        one: `${number(count)} modification a été envoyée`,
        other: `${number(count)} modifications ont été envoyées`,
      }),
    more: (count) =>
      plural(count, { one: `et ${number(count)} autre`, other: `et ${number(count)} autres` }),
  },
} satisfies Catalogue['many']
