import type { Standard } from '#domain/connector.ts'
import './plug-drawing.css'

/** The face of a plug in a 48 by 48 view box: outline and contacts. */
interface Drawing {
  /** Path data of the outline. */
  readonly shell: string
  /** Round contacts: x, y, radius. */
  readonly pins?: readonly (readonly [number, number, number])[]
  /** Path data of contacts that are not round. */
  readonly slots?: string
}

const ROUND = 'M24 4a20 20 0 1 1 0 40a20 20 0 1 1 0-40Z'
const FLAT_TOP = 'M13.8 8H34.2A19.5 19.5 0 1 1 13.8 8Z'
const NOTCHED = 'M17.5 5.2V10h13V5.2A20 20 0 1 1 17.5 5.2Z'
const KEYED = 'M24 4a20 20 0 0 1 6 39v2.5H18V43a20 20 0 0 1 6-39Z'
const SQUARE = 'M13 5H35a8 8 0 0 1 8 8V35a8 8 0 0 1-8 8H13a8 8 0 0 1-8-8V13a8 8 0 0 1 8-8Z'
/** The lower part of a combo plug with the two DC contacts. */
const COMBO_FOOT = 'V29H34.5a8 8 0 0 1 0 16h-21a8 8 0 0 1 0-16H15V25.4'
const DC_PAIR = [
  [15.5, 37, 4.2],
  [32.5, 37, 4.2],
] as const
const EARTH_CLIPS = 'M21 5.5h6v5h-6ZM21 37.5h6v5h-6Z'
const SEVEN = [
  [18, 15.5, 2],
  [30, 15.5, 2],
  [13, 24.5, 3.3],
  [24, 24.5, 3.3],
  [35, 24.5, 3.3],
  [18.5, 34.5, 3.3],
  [29.5, 34.5, 3.3],
] as const
const TESLA_PINS = [
  [16.5, 19, 4.6],
  [31.5, 19, 4.6],
  [24, 28, 2.7],
  [17, 30.5, 1.8],
  [31, 30.5, 1.8],
] as const
const THREE_ROUND = [
  [24, 14, 3.6],
  [15, 30, 3.2],
  [33, 30, 3.2],
] as const

const DRAWINGS = {
  type2: { shell: FLAT_TOP, pins: SEVEN },
  ccs2: {
    shell: `M15.7 5H32.3A13 13 0 0 1 33 25.4${COMBO_FOOT}A13 13 0 0 1 15.7 5Z`,
    pins: [[20, 10.5, 1.8], [28, 10.5, 1.8], [24, 18, 2.5], ...DC_PAIR],
  },
  chademo: {
    shell: `${ROUND}M14.5 18a6 6 0 1 1 0 12a6 6 0 1 1 0-12ZM33.5 18a6 6 0 1 1 0 12a6 6 0 1 1 0-12Z`,
    pins: [
      [14.5, 24, 3],
      [33.5, 24, 3],
      [20.5, 11.5, 1.7],
      [27.5, 11.5, 1.7],
      [24, 16, 1.7],
      [24, 32, 1.7],
      [20.5, 36.5, 1.7],
      [27.5, 36.5, 1.7],
    ],
  },
  type1: {
    shell: `${ROUND}M20 4.4V1.5h8V4.4`,
    pins: [
      [17, 17, 3.5],
      [31, 17, 3.5],
      [13, 27.5, 2],
      [35, 27.5, 2],
      [24, 34, 3.3],
    ],
  },
  ccs1: {
    shell: `M24 3A13 13 0 0 1 33 25.4${COMBO_FOOT}A13 13 0 0 1 24 3Z`,
    pins: [
      [19.5, 12, 2.4],
      [28.5, 12, 2.4],
      [16.5, 18.5, 1.4],
      [31.5, 18.5, 1.4],
      [24, 22.5, 2.3],
      ...DC_PAIR,
    ],
  },
  nacs: {
    shell: 'M11 8H37q5.5 0 5.2 5.5L41 26q-1.5 15-17 15T7 26L5.8 13.5Q5.5 8 11 8Z',
    pins: TESLA_PINS,
  },
  tesla: {
    shell: 'M24 5C37 5 43 12 43 21.5C43 34 35 43 24 43S5 34 5 21.5C5 12 11 5 24 5Z',
    pins: TESLA_PINS,
  },
  gbtAc: { shell: NOTCHED, pins: SEVEN },
  gbtDc: {
    shell: NOTCHED,
    pins: [
      [14, 23, 4.8],
      [34, 23, 4.8],
      [24, 35.5, 3.4],
      [21, 15.5, 1.6],
      [27, 15.5, 1.6],
      [24, 21, 1.6],
      [24, 27, 1.6],
      [15.5, 33.5, 1.8],
      [32.5, 33.5, 1.8],
    ],
  },
  chaoji: {
    shell: 'M17 9H31a15 15 0 0 1 0 30H17a15 15 0 0 1 0-30Z',
    pins: [
      [13.5, 24, 4.8],
      [34.5, 24, 4.8],
      [24, 32, 2.8],
      [21, 16, 1.6],
      [27, 16, 1.6],
      [22, 23.5, 1.4],
      [26, 23.5, 1.4],
    ],
  },
  mcs: {
    shell: 'M11 6H37q8 0 5 8L30 40q-2 4.5-6 4.5T18 40L6 14q-3-8 5-8Z',
    pins: [
      [16, 15.5, 4.6],
      [32, 15.5, 4.6],
      [24, 28, 3.2],
      [24, 11, 1.4],
      [24, 20, 1.4],
      [21.5, 36.5, 1.4],
      [26.5, 36.5, 1.4],
    ],
  },
  type3: {
    shell: 'M12 7H36q4 0 4 4V25a16 16 0 0 1-32 0V11q0-4 4-4Z',
    pins: [
      [16, 15, 2.6],
      [24, 15, 2.6],
      [32, 15, 2.6],
      [16.5, 25, 2.6],
      [31.5, 25, 2.6],
      [24, 31, 3.2],
    ],
  },
  schuko: {
    shell: ROUND,
    pins: [
      [15.5, 24, 3.3],
      [32.5, 24, 3.3],
    ],
    slots: EARTH_CLIPS,
  },
  french: {
    shell: ROUND,
    pins: [
      [15.5, 26, 3.3],
      [32.5, 26, 3.3],
      [24, 14, 3.3],
    ],
  },
  british: { shell: SQUARE, slots: 'M21.5 10h5v10h-5ZM10 27.5h10v5H10ZM28 27.5h10v5H28Z' },
  europlug: {
    shell: 'M16 13H32a11 11 0 0 1 0 22H16a11 11 0 0 1 0-22Z',
    pins: [
      [16, 24, 3.2],
      [32, 24, 3.2],
    ],
  },
  italian: {
    shell: 'M17 5H31a7 7 0 0 1 7 7V36a7 7 0 0 1-7 7H17a7 7 0 0 1-7-7V12a7 7 0 0 1 7-7Z',
    pins: [
      [24, 13, 3],
      [24, 24, 3],
      [24, 35, 3],
    ],
  },
  swiss: {
    shell: 'M14 8H34L44 24L34 40H14L4 24Z',
    pins: [
      [14, 22, 3],
      [34, 22, 3],
      [24, 29, 3],
    ],
  },
  danish: {
    shell: ROUND,
    pins: [
      [15.5, 20, 3.2],
      [32.5, 20, 3.2],
    ],
    slots: 'M18 36a6 6 0 0 1 12 0Z',
  },
  australian: {
    shell: SQUARE,
    slots: 'M13 13l4.5-2l5 10l-4.5 2ZM35 13l-4.5-2l-5 10l4.5 2ZM21.8 27h4.4v11h-4.4Z',
  },
  threeRound: { shell: ROUND, pins: THREE_ROUND },
  nemaTwo: { shell: SQUARE, slots: 'M14 17h4.5v14H14ZM29.5 17H34v14h-4.5Z' },
  nemaThree: {
    shell: SQUARE,
    pins: [[24, 34, 3.4]],
    slots: 'M14 12h4.5v13H14ZM29.5 12H34v13h-4.5Z',
  },
  nemaRound: {
    shell: ROUND,
    slots: 'M11.5 18h4.5v12h-4.5ZM32 18h4.5v12H32ZM21.8 29h4.4v10h-4.4ZM20 10h8v5h-8Z',
  },
  ceeThree: {
    shell: KEYED,
    pins: [
      [24, 35, 3.6],
      [14.5, 19, 3],
      [33.5, 19, 3],
    ],
  },
  ceeFive: {
    shell: KEYED,
    pins: [
      [24, 36, 3.4],
      [12.5, 27.5, 2.8],
      [35.5, 27.5, 2.8],
      [17, 14, 2.8],
      [31, 14, 2.8],
    ],
  },
  pantographUp: {
    shell: 'M6 8H42M16 8L34 23L16 38M32 8L14 23L32 38M10 43H38V38H10Z',
    pins: [
      [24, 15, 2],
      [24, 31, 2],
    ],
  },
  pantographDown: {
    shell: 'M6 40H42M16 40L34 25L16 10M32 40L14 25L32 10M10 5H38V10H10Z',
    pins: [
      [24, 33, 2],
      [24, 17, 2],
    ],
  },
  unknown: {
    shell: 'M13 18H35V26a11 11 0 0 1-22 0ZM18 18V8M30 18V8M24 37V45',
  },
} as const satisfies Record<string, Drawing>

const OF_STANDARD: Readonly<Record<Standard, keyof typeof DRAWINGS>> = {
  IEC_62196_T2: 'type2',
  IEC_62196_T2_COMBO: 'ccs2',
  CHADEMO: 'chademo',
  IEC_62196_T1: 'type1',
  IEC_62196_T1_COMBO: 'ccs1',
  SAE_J3400: 'nacs',
  TESLA_S: 'tesla',
  TESLA_R: 'tesla',
  GBT_AC: 'gbtAc',
  GBT_DC: 'gbtDc',
  CHAOJI: 'chaoji',
  DOMESTIC_A: 'nemaTwo',
  DOMESTIC_B: 'nemaThree',
  DOMESTIC_C: 'europlug',
  DOMESTIC_D: 'threeRound',
  DOMESTIC_E: 'french',
  DOMESTIC_F: 'schuko',
  DOMESTIC_G: 'british',
  DOMESTIC_H: 'threeRound',
  DOMESTIC_I: 'australian',
  DOMESTIC_J: 'swiss',
  DOMESTIC_K: 'danish',
  DOMESTIC_L: 'italian',
  DOMESTIC_M: 'threeRound',
  DOMESTIC_N: 'swiss',
  DOMESTIC_O: 'threeRound',
  IEC_60309_2_single_16: 'ceeThree',
  IEC_60309_2_three_16: 'ceeFive',
  IEC_60309_2_three_32: 'ceeFive',
  IEC_60309_2_three_64: 'ceeFive',
  IEC_62196_T3A: 'type3',
  IEC_62196_T3C: 'type3',
  MCS: 'mcs',
  NEMA_5_20: 'nemaThree',
  NEMA_6_30: 'nemaRound',
  NEMA_6_50: 'nemaRound',
  NEMA_10_30: 'nemaRound',
  NEMA_10_50: 'nemaRound',
  NEMA_14_30: 'nemaRound',
  NEMA_14_50: 'nemaRound',
  PANTOGRAPH_BOTTOM_UP: 'pantographUp',
  PANTOGRAPH_TOP_DOWN: 'pantographDown',
}

const contacts = new Map<string, string>()

/** Path data of all contacts, in one element because long lists have many drawings. */
const contactsOf = (
  standard: string,
  pins: Drawing['pins'] = [],
  slots: Drawing['slots'] = '',
): string => {
  const known = contacts.get(standard)
  if (known !== undefined) return known
  const circles = pins.map(
    ([x, y, r]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  )
  const path = slots + circles.join('')
  contacts.set(standard, path)
  return path
}

/** The face of a plug as a small drawing beside its name; a generic plug if it is unknown. */
export const PlugDrawing = ({ standard }: { readonly standard: string }) => {
  const names: Readonly<Record<string, keyof typeof DRAWINGS>> = OF_STANDARD
  const { shell, pins, slots }: Drawing = DRAWINGS[names[standard] ?? 'unknown']
  return (
    <svg className="plug-drawing" viewBox="0 0 48 48" aria-hidden="true">
      <path className="shell" d={shell} />
      <path className="pins" d={contactsOf(standard, pins, slots)} />
    </svg>
  )
}
