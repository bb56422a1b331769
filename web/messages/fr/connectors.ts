import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** The connectors of a site, in French. */
export default {
  connectors: {
    title: 'Connecteurs',
    hint: 'Une ligne par type de prise, avec leur nombre.',
    addPreset: 'Ajouter un connecteur',
    otherPreset: 'Autre…',
    presetLabel: (label) => `Ajouter ${label}`,
    none: 'Pas encore de connecteur. Choisissez-en un ci-dessus.',
    position: (position) => `Connecteur ${position}`,
    blank: 'Nouveau connecteur',
    quantity: (position) => `Nombre de connecteurs ${position}`,
    fewer: (position) => `Un de moins pour le connecteur ${position}`,
    more: (position) => `Un de plus pour le connecteur ${position}`,
    duplicate: (position) => `Dupliquer le connecteur ${position}`,
    remove: (position) => `Retirer le connecteur ${position}`,
    removed: (what) => `Retiré : ${what}`,
    done: 'Terminé',
    standard: 'Prise',
    choose: 'Choisir…',
    search: 'Chercher par nom',
    common: 'Courantes',
    others: 'Toutes les autres',
    noMatch: 'Aucune prise ne porte ce nom.',
    format: 'Câble ou prise',
    currentType: 'Courant',
    kwRating: 'Puissance en kW',
    notSaved: 'Non enregistré.',
    someNotSaved: (failed, total) =>
      plural(failed, {
        one: `${number(failed)} sur ${number(total)} n’a pas été enregistré.`,
        other: `${number(failed)} sur ${number(total)} n’ont pas été enregistrés.`,
      }),
    doubts: {
      power: (kw) => `${kw} kW : est-ce exact ?`,
      powerOfPlug: (kw, plug, max) =>
        `${plug} dépasse rarement ${max} kW. ${kw} kW : est-ce exact ?`,
      dcOnly: (plug) => `${plug} recharge en courant continu (DC). Le courant est-il exact ?`,
      acOnly: (plug) => `${plug} recharge en courant alternatif (AC). Le courant est-il exact ?`,
      currentOfPlug: (plug, usual) =>
        `${plug} va d’ordinaire avec ${usual}. Le courant est-il exact ?`,
      currentOfPower: (kw, usual) =>
        `${kw} kW va d’ordinaire avec ${usual}. Le courant est-il exact ?`,
      cable: (plug) => `${plug} a d’ordinaire un câble attaché. Est-ce bien une prise ?`,
      socket: (plug) => `${plug} est d’ordinaire une prise. Y a-t-il bien un câble attaché ?`,
    },
  },
} satisfies Catalogue['connectors']
