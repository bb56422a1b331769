import { encodeQR } from 'qr'

/** A text as a QR code (ISO/IEC 18004), in the current text colour. */
export const QrCode = ({ text }: { readonly text: string }) => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium' })
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} shapeRendering="crispEdges">
      <path d={rows.map(darkParts).join('')} />
    </svg>
  )
}

/** The dark modules of a row as path data, one piece for those beside each other. */
const darkParts = (row: readonly boolean[], y: number): string => {
  const pieces = row
    .map((isDark) => (isDark ? '#' : ' '))
    .join('')
    .matchAll(/#+/g)
  return [...pieces]
    .map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')
}
