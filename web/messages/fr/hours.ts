import type hours from '../en/hours.ts'

/** Ce qui est dit des horaires, en français. */
export default {
  hours: {
    always: 'Ouvert 24 h/24, 7 j/7',
    everyDay: 'tous les jours',
    wholeDay: '24 h/24',
    closedOn: (dates) => `fermé ${dates}`,
    openOn: (dates, spans) => `${dates} ${spans}`,
    openNow: 'Ouvert actuellement',
    closedNow: 'Fermé actuellement',
    openUntil: (time, day) => `Ouvert jusqu’à ${day === undefined ? time : `${day} ${time}`}`,
    closedUntil: (time, day) =>
      `Fermé, ouvre ${day === undefined ? `à ${time}` : `${day} à ${time}`}`,
  },
  hoursEditor: {
    always: 'Ouvert 24 h/24, 7 j/7',
    week: 'Horaires de la semaine',
    closed: 'Fermé',
    addHours: 'Ajouter un horaire',
    addSpan: 'Autre plage',
    begin: (day) => `${day} : ouvre à`,
    end: (day) => `${day} : ferme à`,
    remove: (day, span) => `Retirer ${day} ${span}`,
    nextDay: 'le lendemain',
    copy: 'Copier vers…',
    workdays: 'Du lun. au ven.',
    allDays: 'Tous les jours',
    missingTime: 'Indiquez l’heure d’ouverture et l’heure de fermeture.',
    overlap: 'Cette plage en chevauche une autre.',
    noDay: 'Indiquez les horaires d’au moins un jour.',
    exceptions: 'Jours fériés et autres exceptions',
    from: 'Du',
    to: 'Au',
    isClosed: 'Fermé',
    isOpen: 'Ouvert',
    opens: 'Ouvre à',
    closes: 'Ferme à',
    addException: 'Ajouter l’exception',
    addHolidays: 'Ajouter les jours fériés',
    removeException: (text) => `Retirer : ${text}`,
    missingDate:
      'Choisissez un premier jour, puis un dernier jour qui ne le précède pas et le suive d’un an au plus.',
    zone: (zone) => `Heure locale : ${zone}`,
  },
} satisfies typeof hours
