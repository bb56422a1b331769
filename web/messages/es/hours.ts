import type hours from '../en/hours.ts'

/** One o'clock is singular. */
const hour = (time: string): string => `${/^0?1:/.test(time) ? 'la' : 'las'} ${time}`

/** Opening hours, in Spanish. */
export default {
  hours: {
    always: 'Abierto las 24 horas, todos los días',
    everyDay: 'todos los días',
    wholeDay: '24 horas',
    closedOn: (dates) => `cerrado ${dates}`,
    openOn: (dates, spans) => `${dates} ${spans}`,
    openNow: 'Abierto ahora',
    closedNow: 'Cerrado ahora',
    openUntil: (time, day) =>
      day === undefined
        ? `Abierto ahora hasta ${hour(time)}`
        : `Abierto ahora hasta el ${day} a ${hour(time)}`,
    closedUntil: (time, day) =>
      day === undefined
        ? `Cerrado ahora, abre a ${hour(time)}`
        : `Cerrado ahora, abre el ${day} a ${hour(time)}`,
  },
  hoursEditor: {
    always: 'Abierto las 24 horas, todos los días',
    week: 'Horario de la semana',
    closed: 'Cerrado',
    addHours: 'Añadir horario',
    addSpan: 'Otro tramo',
    begin: (day) => `${day}: abre a las`,
    end: (day) => `${day}: cierra a las`,
    remove: (day, span) => `Quitar ${day} ${span}`,
    nextDay: 'del día siguiente',
    copy: 'Copiar a…',
    workdays: 'De lunes a viernes',
    allDays: 'Todos los días',
    missingTime: 'Indique a qué hora abre y a qué hora cierra.',
    overlap: 'Este tramo se solapa con otro.',
    noDay:
      'Las excepciones necesitan un horario habitual: indique el de al menos un día o elija «Abierto las 24 horas, todos los días».',
    exceptions: 'Festivos y otras excepciones',
    from: 'Desde',
    to: 'Hasta',
    isClosed: 'Cerrado',
    isOpen: 'Abierto',
    opens: 'Abre a las',
    closes: 'Cierra a las',
    addException: 'Añadir excepción',
    addHolidays: 'Añadir los días festivos',
    removeException: (text) => `Quitar: ${text}`,
    missingDate:
      'Elija el primer y el último día. El último no puede ser anterior al primero ni posterior en más de un año.',
    zone: (zone) => `Zona horaria: ${zone}`,
  },
} satisfies typeof hours
