import type hours from '../en/hours.ts'

/** French writes the first of a month as `1er janvier`. */
const firsts = (dates: string): string => dates.replaceAll(/(?<!\d)1(?=[\s–])/g, '1er')

/** Opening hours, in French. */
export default {
  hours: {
    always: 'Ouvert 24 h/24, 7 j/7',
    everyDay: 'tous les jours',
    wholeDay: '24 h/24',
    closedOn: (dates) => `fermé ${firsts(dates)}`,
    openOn: (dates, spans) => `${firsts(dates)} ${spans}`,
    openNow: 'Ouvert actuellement',
    closedNow: 'Fermé actuellement',
    openUntil: (time, day, isDate) => {
      if (day === undefined) return `Ouvert jusqu’à ${time}`
      return `Ouvert jusqu’${isDate ? 'au' : 'à'} ${firsts(day)} à ${time}`
    },
    closedUntil: (time, day, isDate) => {
      if (day === undefined) return `Fermé, ouvre à ${time}`
      return `Fermé, ouvre ${isDate ? 'le ' : ''}${firsts(day)} à ${time}`
    },
  },
  hoursEditor: {
    always: 'Ouvert 24 h/24, 7 j/7',
    week: 'Horaires de la semaine',
    closed: 'Fermé',
    addHours: 'Ajouter un horaire',
    addSpan: 'Ajouter une plage',
    begin: (day) => `${day} : ouvre à`,
    end: (day) => `${day} : ferme à`,
    remove: (day, span) => `Retirer ${day} ${span}`,
    nextDay: 'le lendemain',
    copy: 'Copier vers…',
    workdays: 'Du lun. au ven.',
    allDays: 'Tous les jours',
    missingTime: 'Indiquez l’heure d’ouverture et l’heure de fermeture.',
    overlap: 'Cette plage en chevauche une autre.',
    noDay:
      'Les exceptions s’ajoutent à des horaires habituels : indiquez ceux d’au moins un jour, ou choisissez « Ouvert 24 h/24, 7 j/7 ».',
    exceptions: 'Jours fériés et autres exceptions',
    from: 'Du',
    to: 'Au',
    isClosed: 'Fermé',
    isOpen: 'Ouvert',
    opens: 'Ouvre à',
    closes: 'Ferme à',
    addException: 'Ajouter une exception',
    addHolidays: 'Ajouter les jours fériés',
    removeException: (text) => `Retirer : ${text}`,
    missingDate:
      'Choisissez le premier et le dernier jour : le dernier ne peut être ni avant le premier, ni plus d’un an après.',
    zone: (zone) => `Fuseau horaire : ${zone.replace(/^heure\s*:\s*/, '')}`,
  },
} satisfies typeof hours
