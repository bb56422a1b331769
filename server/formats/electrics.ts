import type { CurrentType } from '#domain/connector.ts'
import type { PublicConnector } from '#domain/public-site.ts'

import type { ReportLoss } from './output.ts'

/** The number of live wires that share the power. */
const PHASES: Readonly<Record<CurrentType, number>> = {
  AC_1_PHASE: 1,
  AC_2_PHASE: 2,
  AC_2_PHASE_SPLIT: 2,
  AC_3_PHASE: 3,
  DC: 1,
}

/** Default voltages: between phase and neutral for AC, and for DC up to and above `STRONG_DC_KW`. */
const AC_VOLTS = 230
const DC_VOLTS = 400
const STRONG_DC_VOLTS = 920
const STRONG_DC_KW = 62.5

/** Voltage and amperage of a connector. */
export interface Electrics {
  /** Between phase and neutral, or of DC. */
  readonly volts: number
  /** Between two phases if there are several: 400 V for 230 V. */
  readonly lineVolts: number
  readonly amps: number
}

type Plug = Pick<PublicConnector, 'current_type' | 'kw_rating' | 'voltage' | 'amperage'>

/** Completes the voltage and amperage of a connector from its current and power, in whole numbers. */
export const electricsOf = (plug: Plug, reportLoss: ReportLoss): Electrics => {
  const { current_type, kw_rating, voltage, amperage } = plug
  const isDc = current_type === 'DC'
  const phases = PHASES[current_type]
  const usual = !isDc ? AC_VOLTS : kw_rating <= STRONG_DC_KW ? DC_VOLTS : STRONG_DC_VOLTS
  const volts = Math.max(1, Math.round(voltage || usual))
  const amps = Math.max(1, Math.round(amperage || (kw_rating * 1000) / (volts * phases)))
  for (const field of ['voltage', 'amperage'] as const)
    if (!plug[field]) reportLoss('connectors', field, 'derived')
  return { volts, lineVolts: lineVoltsOf(volts, phases), amps }
}

const lineVoltsOf = (volts: number, phases: number): number => {
  if (phases < 3) return volts
  // Rounds to the nominal voltage: 230 V between phase and neutral are called 400 V.
  return Math.round((volts * Math.sqrt(3)) / 10) * 10
}
