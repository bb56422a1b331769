import type { Coordinates } from '../map/coordinates.ts'

/**
 * Reads the position of a photo from the EXIF of a JPEG, WebP, HEIC or AVIF. Reads only the needed parts of the file,
 * however large it is.
 * @returns undefined if the file has no position, or cannot be parsed
 */
export const readPosition = async (file: Blob): Promise<Coordinates | undefined> => {
  try {
    const exif = await findExif(file)
    return exif === undefined ? undefined : readGps(exif)
  } catch (error) {
    // Offsets in a truncated or corrupt file point outside it, so the position is undefined.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Maximum size of an EXIF, far above what cameras write. */
const MAX_EXIF_BYTES = 256 * 1024

const read = async (file: Blob, offset: number, length: number): Promise<DataView> =>
  new DataView(await file.slice(offset, offset + length).arrayBuffer())

const text = (view: DataView, offset: number, length = 4): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length))

/** Finds the TIFF structure that contains the EXIF. */
const findExif = async (file: Blob): Promise<DataView | undefined> => {
  if (file.size < 16) return undefined
  const head = await read(file, 0, 16)
  if (head.getUint16(0) === 0xff_d8) return findInJpeg(file)
  if (text(head, 0) === 'RIFF' && text(head, 8) === 'WEBP') return findInWebp(file)
  return text(head, 4) === 'ftyp' ? findInHeif(file) : undefined
}

const EXIF_MARK = 'Exif\0\0'

/**
 * JPEG is made of segments: marker, length, content. EXIF is an APP1 segment before the picture.
 */
const findInJpeg = async (file: Blob): Promise<DataView | undefined> => {
  for (let offset = 2; offset + 10 < file.size;) {
    const head = await read(file, offset, 10)
    const marker = head.getUint16(0)
    if (marker < 0xff_c0 || marker === 0xff_da) return undefined
    const length = head.getUint16(2)
    if (marker === 0xff_e1 && text(head, 4, 6) === EXIF_MARK)
      return read(file, offset + 10, length - 8)
    offset += 2 + length
  }
  return undefined
}

/** WebP is made of chunks: name, length, content, padded to an even length. */
const findInWebp = async (file: Blob): Promise<DataView | undefined> => {
  for (let offset = 12; offset + 8 < file.size;) {
    const head = await read(file, offset, 8)
    const length = head.getUint32(4, true)
    if (text(head, 0) === 'EXIF') {
      const content = await read(file, offset + 8, Math.min(length, MAX_EXIF_BYTES))
      // Some writers prepend the marker of JPEG.
      return text(content, 0, 6) === EXIF_MARK ? after(content, 6) : content
    }
    offset += 8 + length + (length % 2)
  }
  return undefined
}

const after = (view: DataView, offset: number): DataView =>
  new DataView(view.buffer, view.byteOffset + offset)

/** A box of the ISO base media file format, by the offsets of its content. */
interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

const boxesOf = (view: DataView, from: number, to: number): Box[] => {
  const boxes: Box[] = []
  for (let offset = from; offset + 8 <= to;) {
    const size = view.getUint32(offset)
    // Only boxes with picture data have 64-bit sizes, and they come last.
    if (size < 8) break
    boxes.push({ type: text(view, offset + 4), start: offset + 8, end: offset + size })
    offset += size
  }
  return boxes
}

/** Finds the EXIF through the `meta` box, which names its item and the location of the item in the file. */
const findInHeif = async (file: Blob): Promise<DataView | undefined> => {
  const front = await read(file, 0, MAX_EXIF_BYTES)
  const meta = boxesOf(front, 0, front.byteLength).find(({ type }) => type === 'meta')
  if (meta === undefined) return undefined
  // Skips the version and flags of a full box.
  const inside = boxesOf(front, meta.start + 4, Math.min(meta.end, front.byteLength))
  const infos = inside.find(({ type }) => type === 'iinf')
  const places = inside.find(({ type }) => type === 'iloc')
  if (infos === undefined || places === undefined) return undefined
  const id = exifItem(front, infos)
  const place = id === undefined ? undefined : placeOf(front, places, id)
  if (place === undefined || place.length < 8) return undefined
  const item = await read(file, place.offset, Math.min(place.length, MAX_EXIF_BYTES))
  return after(item, 4 + item.getUint32(0))
}

const exifItem = (view: DataView, { start, end }: Box): number | undefined => {
  const countBytes = view.getUint8(start) === 0 ? 2 : 4
  for (const info of boxesOf(view, start + 4 + countBytes, end)) {
    const version = view.getUint8(info.start)
    if (info.type !== 'infe' || version < 2) continue
    const idBytes = version === 2 ? 2 : 4
    const type = text(view, info.start + 4 + idBytes + 2)
    if (type === 'Exif') return readUint(view, info.start + 4, idBytes)
  }
  return undefined
}

const placeOf = (
  view: DataView,
  { start }: Box,
  wanted: number,
): { readonly offset: number; readonly length: number } | undefined => {
  const version = view.getUint8(start)
  const [offsetBytes, lengthBytes] = halves(view.getUint8(start + 4))
  const [baseBytes, indexBytes] = halves(view.getUint8(start + 5))
  const idBytes = version < 2 ? 2 : 4
  let at = start + 6
  const next = (bytes: number): number => {
    at += bytes
    return readUint(view, at - bytes, bytes)
  }
  const count = next(idBytes)
  for (let item = 0; item < count; item += 1) {
    const id = next(idBytes)
    // Other methods store an item inside another one.
    const method = version === 0 ? 0 : next(2) & 15
    next(2)
    const base = next(baseBytes)
    const extents = next(2)
    for (let extent = 0; extent < extents; extent += 1) {
      if (version > 0) next(indexBytes)
      const offset = next(offsetBytes)
      const length = next(lengthBytes)
      if (id === wanted) return method === 0 ? { offset: base + offset, length } : undefined
    }
  }
  return undefined
}

const halves = (byte: number): readonly [number, number] => [byte >> 4, byte & 15]

const readUint = (view: DataView, offset: number, bytes: number): number => {
  let value = 0
  for (let index = 0; index < bytes; index += 1) value = value * 256 + view.getUint8(offset + index)
  return value
}

const GPS_DIRECTORY = 0x88_25

/** The value of each tag of a directory, or its offset. */
type Entries = ReadonlyMap<number, number>

const readGps = (tiff: DataView): Coordinates | undefined => {
  const little = text(tiff, 0, 2) === 'II'
  const entriesAt = (offset: number): Entries => {
    const count = tiff.getUint16(offset, little)
    const places = Array.from({ length: count }, (_, index) => offset + 2 + index * 12)
    return new Map(places.map((place) => [tiff.getUint16(place, little), place + 8]))
  }
  const gpsPlace = entriesAt(tiff.getUint32(4, little)).get(GPS_DIRECTORY)
  if (gpsPlace === undefined) return undefined
  const gps = entriesAt(tiff.getUint32(gpsPlace, little))
  const rational = (offset: number): number =>
    tiff.getUint32(offset, little) / tiff.getUint32(offset + 4, little)
  /** Converts degrees, minutes and seconds with a letter for the hemisphere. */
  const degrees = (reference: number, value: number, negative: string): number => {
    const [at, side] = [gps.get(value), gps.get(reference)]
    if (at === undefined || side === undefined) return Number.NaN
    const place = tiff.getUint32(at, little)
    const [whole, minutes, seconds] = [0, 8, 16].map((step) => rational(place + step))
    const size = (whole ?? 0) + (minutes ?? 0) / 60 + (seconds ?? 0) / 3600
    return round(text(tiff, side, 1) === negative ? -size : size)
  }
  const latitude = degrees(1, 2, 'S')
  const longitude = degrees(3, 4, 'W')
  const isSomewhere =
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    // Some cameras write 0, 0 if they have no position.
    (latitude !== 0 || longitude !== 0)
  return isSomewhere ? { latitude, longitude } : undefined
}

/** Rounds to six decimals, which are 0.1 m; more would suggest a false precision. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
