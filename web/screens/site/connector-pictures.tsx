import type { CurrentType, Format } from '#domain/connector.ts'

const FORMAT_PATHS: Readonly<Record<Format, string>> = {
  // A plate with an opening.
  SOCKET:
    'M8 3H24a5 5 0 0 1 5 5V24a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5ZM16 8a8 8 0 1 1 0 16a8 8 0 1 1 0-16ZM12.5 16h.01M19.5 16h.01',
  // A plug on its cable.
  CABLE: 'M9 9H21V14a6 6 0 0 1-12 0ZM12 9V3M18 9V3M15 20v4q0 5 5 5t5-5V11',
}

/** One wave per phase; a line for direct current. */
const wave = (y: number, height: number): string =>
  `M3 ${y}c4.3-${height} 8.7-${height} 13 0s8.7 ${height} 13 0`
const CURRENT_PATHS: Readonly<Record<CurrentType, string>> = {
  AC_1_PHASE: wave(16, 13),
  AC_2_PHASE: wave(11, 8) + wave(21, 8),
  AC_2_PHASE_SPLIT: `${wave(10, 8)}M3 16H29M3 22c4.3 8 8.7 8 13 0s8.7-8 13 0`,
  AC_3_PHASE: wave(8, 7) + wave(16, 7) + wave(24, 7),
  DC: 'M3 12H29M3 20H8M13.5 20H18.5M24 20H29',
}

const Picture = ({ path }: { readonly path: string }) => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path d={path} />
  </svg>
)

/** A drawing of a socket, or of a plug on a cable. */
export const FormatPicture = ({ format }: { readonly format: Format }) => (
  <Picture path={FORMAT_PATHS[format]} />
)

/** A drawing of the current as a curve. */
export const CurrentPicture = ({ current }: { readonly current: CurrentType }) => (
  <Picture path={CURRENT_PATHS[current]} />
)
