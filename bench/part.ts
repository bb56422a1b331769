import type { Finding } from './measure/verdict.ts'

/** A part of the bench, such as `server`: measures what it has to, and says what it found. */
export interface Part {
  readonly name: string
  /** What may be chosen of it on the command line. */
  readonly topics: readonly string[]
  run(options: PartRun): Promise<Report>
}

/** How a part is run. */
export interface PartRun {
  /** Empty, and this run's alone; removed after it. */
  readonly folder: string
  /** The executable that `PEER` names. */
  readonly peer: string | undefined
  /** Whether a topic was asked for. */
  wants(topic: string): boolean
  readonly effort: {
    /** Interleaved pairs of a workload; rounds, where there is no pair. */
    readonly pairs: number
    readonly ms: number
    readonly warmUpMs: number
    /** Of a page in the browser. */
    readonly visits: number
  }
  /** Why no figure of this run is a result; undefined in a run that counts. */
  readonly doubt: string | undefined
  /** A variant that is worse on purpose, which the bench must find out. */
  readonly broken: string | undefined
  /** Tells whoever waits what is done now. */
  say(sentence: string): void
}

/** What a part found. */
export interface Report {
  readonly findings: readonly Finding[]
  /** How it was measured, in sentences below the table. */
  readonly notes: readonly string[]
  /** What stands behind the findings: rows of a table of the part's own. */
  readonly details: readonly Readonly<Record<string, string>>[]
}
