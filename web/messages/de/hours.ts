import type hours from '../en/hours.ts'

/** Opening hours, in German. */
export default {
  hours: {
    always: 'Rund um die Uhr geöffnet',
    everyDay: 'täglich',
    wholeDay: 'ganztägig',
    closedOn: (dates) => `${dates} geschlossen`,
    openOn: (dates, spans) => `${dates} ${spans}`,
    openNow: 'Jetzt geöffnet',
    closedNow: 'Jetzt geschlossen',
    openUntil: (time, day) =>
      day === undefined
        ? `Jetzt geöffnet bis ${time}\u00a0Uhr`
        : `Jetzt geöffnet bis ${day}, ${time}\u00a0Uhr`,
    closedUntil: (time, day) =>
      day === undefined
        ? `Jetzt geschlossen, öffnet um ${time}\u00a0Uhr`
        : `Jetzt geschlossen, öffnet am ${day} um ${time}\u00a0Uhr`,
  },
  hoursEditor: {
    always: 'Rund um die Uhr geöffnet',
    week: 'Öffnungszeiten der Woche',
    closed: 'Geschlossen',
    addHours: 'Zeit eintragen',
    addSpan: 'Weitere Zeit',
    begin: (day) => `${day}: öffnet um`,
    end: (day) => `${day}: schließt um`,
    remove: (day, span) => `${day} ${span} entfernen`,
    nextDay: 'am Folgetag',
    copy: 'Übernehmen für …',
    workdays: 'Mo bis Fr',
    allDays: 'Alle Tage',
    missingTime: 'Geben Sie an, wann geöffnet und wann geschlossen wird.',
    overlap: 'Diese Zeit überschneidet sich mit einer anderen.',
    noDay:
      'Zu Ausnahmen gehören übliche Zeiten: Tragen Sie die von mindestens einem Tag ein, oder wählen Sie „Rund um die Uhr geöffnet“.',
    exceptions: 'Feiertage und andere Ausnahmen',
    from: 'Von',
    to: 'Bis',
    isClosed: 'Geschlossen',
    isOpen: 'Geöffnet',
    opens: 'Öffnet um',
    closes: 'Schließt um',
    addException: 'Ausnahme hinzufügen',
    addHolidays: 'Gesetzliche Feiertage hinzufügen',
    removeException: (text) => `Entfernen: ${text}`,
    missingDate:
      'Wählen Sie den ersten und den letzten Tag. Der letzte darf nicht vor dem ersten und höchstens ein Jahr danach liegen.',
    zone: (zone) => `Zeitzone: ${zone.replace(/ \(Ortszeit\)$/, '')}`,
  },
} satisfies typeof hours
