import type { HoursWords } from '#domain/hours/sentence.ts'

/** Opening hours, in English. */
export default {
  hours: {
    always: 'Open 24 hours, every day',
    everyDay: 'every day',
    wholeDay: '24 hours',
    closedOn: (dates) => `closed ${dates}`,
    openOn: (dates, spans) => `${dates} ${spans}`,
    openNow: 'Open now',
    closedNow: 'Closed now',
    openUntil: (time, day) =>
      day === undefined ? `Open now until ${time}` : `Open now until ${day} at ${time}`,
    closedUntil: (time, day, isDate) => {
      if (day === undefined) return `Closed now, opens at ${time}`
      return `Closed now, opens ${isDate ? 'on ' : ''}${day} at ${time}`
    },
  } satisfies HoursWords as HoursWords,
  hoursEditor: {
    always: 'Open 24 hours, every day',
    week: 'Weekly hours',
    closed: 'Closed',
    addHours: 'Add hours',
    addSpan: 'More hours',
    begin: (day: string) => `${day}: opens at`,
    end: (day: string) => `${day}: closes at`,
    remove: (day: string, span: string) => `Remove ${day} ${span}`,
    nextDay: 'next day',
    copy: 'Copy to…',
    workdays: 'Mon to Fri',
    allDays: 'Every day',
    missingTime: 'Enter an opening and a closing time.',
    overlap: 'These hours overlap with others.',
    noDay:
      'Exceptions need regular hours too: enter hours for at least one day, or choose “Open 24 hours, every day”.',
    exceptions: 'Holidays and other exceptions',
    from: 'From',
    to: 'To',
    isClosed: 'Closed',
    isOpen: 'Open',
    opens: 'Opens at',
    closes: 'Closes at',
    addException: 'Add exception',
    addHolidays: 'Add public holidays',
    removeException: (text: string) => `Remove: ${text}`,
    missingDate:
      'Choose the first and the last day. The last day cannot be before the first, or more than a year after it.',
    zone: (zone: string) => `Local times: ${zone}`,
  },
}
