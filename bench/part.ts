import type { Finding } from './measure/verdict.ts'

/** A part of the bench, such as `server`: measures something and reports findings. */
export interface Part {
  readonly name: string
  /** The topics that can be chosen on the command line. */
  readonly topics: readonly string[]
  run(options: PartRun): Promise<Report>
}

/** The options of a run. */
export interface PartRun {
  /** A temporary folder of this run. */
  readonly folder: string
  /** The executable in `PEER`. */
  readonly peer: string | undefined
  /** Whether the topic is selected. */
  wants(topic: string): boolean
  readonly effort: {
    /** The number of interleaved pairs of a workload; without a peer, of rounds. */
    readonly pairs: number
    readonly ms: number
    readonly warmUpMs: number
    /** The number of visits to each page in the browser. */
    readonly visits: number
  }
  /** The reason why this run has no valid results; undefined if it has. */
  readonly doubt: string | undefined
  /** A deliberate regression, which the bench has to detect. */
  readonly broken: string | undefined
  /** Reports progress. */
  say(sentence: string): void
}

/** The report of a part. */
export interface Report {
  readonly findings: readonly Finding[]
  /** Notes on the measurement, below the table. */
  readonly notes: readonly string[]
  /** The figures behind the findings, as rows of a table. */
  readonly details: readonly Readonly<Record<string, string>>[]
}
