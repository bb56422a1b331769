const SIGNATURE_BYTES = 8
/** Length, type and checksum around the data of a chunk. */
const FRAME_BYTES = 12
/** What a decoder needs to show a still image, its colours included. */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'])
const ONCE = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'])

/**
 * A PNG without what is not needed to show it: texts, which can inflate without bound when a
 * decoder looks at them, times, positions, further frames.
 * @returns undefined for bytes that are torn
 */
export const stripPng = (bytes: Buffer): Buffer | undefined => {
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)]
  const seen = new Set<string>()
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length;) {
    const end = at + FRAME_BYTES + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length) return undefined
    if (KEPT.has(type) && !(ONCE.has(type) && seen.has(type))) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return Buffer.concat(kept)
    seen.add(type)
    at = end
  }
  return undefined
}
