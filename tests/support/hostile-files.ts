import { deflateSync } from 'node:zlib'

import sharp from 'sharp'

import {
  avifGrid,
  blankJpeg,
  blankPng,
  blankVp8l,
  box,
  fullBox,
  GIF_END,
  deflatedZeros,
  gifBlocks,
  gifExtension,
  gifFrame,
  gifHeader,
  intoJpeg,
  intoPng,
  join,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
  rawPng,
  webpCanvas,
  webpChunk,
  webpChunks,
  webpFrame,
  webpOf,
  withAvifSize,
} from './hostile-bytes.ts'

/** A malicious upload. */
export interface HostileFile {
  /** The defect. */
  readonly about: string
  readonly family: string
  readonly filename: string
  /** The declared type. */
  readonly type: string
  readonly bytes: Buffer
}

/** Must never be part of a stored or served byte. */
export const CANARY = 'pl4nted-c4nary-9c41'
/** Set on the page by a payload that runs; also the prefix of a URL that it requests. */
export const RAN = 'plantedHasRun'

const SCRIPT = `globalThis.${RAN}='${CANARY}';document.title='${CANARY}';fetch('/${RAN}?${CANARY}')`
const HTML = `<!doctype html><html><body onload="${SCRIPT}"><script>${SCRIPT}</script><img src=x onerror="${SCRIPT}"></body></html>`

/** The payloads, by the language that might interpret them. */
export const PAYLOADS: Readonly<Record<string, string>> = {
  HTML,
  SVG: `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`,
  script: `*/=1;${SCRIPT};/*`,
  PHP: `<?php system('echo ${CANARY}'); __HALT_COMPILER(); ?>`,
  PDF: `%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert('${CANARY}'))>>>>endobj\n%%EOF`,
  ZIP: join('PK\x03\x04', Buffer.alloc(26), CANARY, 'PK\x05\x06', Buffer.alloc(18)).toString(
    'latin1',
  ),
}

type Carriers = Readonly<Record<string, (payload: string) => Buffer>>
type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'
const FORMATS: readonly Format[] = ['jpeg', 'png', 'webp', 'gif', 'avif']
const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', avif: 'avif' } as const

/** Valid pictures that carry the payloads. */
const makeBases = async (): Promise<Readonly<Record<Format, Buffer>>> => {
  const picture = (): ReturnType<typeof sharp> =>
    sharp({
      create: {
        width: 64,
        height: 48,
        channels: 3,
        background: '#2eaeff',
        noise: { type: 'gaussian', mean: 128, sigma: 20 },
      },
    })
  const [jpeg, png, webp, gif, avif] = await Promise.all(
    FORMATS.map((format) => picture().toFormat(format).toBuffer()),
  )
  return { jpeg, png, webp, gif, avif } as Record<Format, Buffer>
}
type Bases = Awaited<ReturnType<typeof makeBases>>

const NUL = '\0'
const XMP = (payload: string): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${CANARY}">${payload}</rdf:Description></rdf:RDF></x:xmpmeta>`

/** EXIF with a description; big-endian, one directory. */
const exif = (payload: string): Buffer => {
  const text = join(payload, [0])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return join('MM\0*\0\0\0\x08\0\x01\x01\x0e\0\x02', length, '\0\0\0\x1a\0\0\0\0', text)
}

/** An invalid colour profile with an arbitrary name. */
const profile = (payload: string): Buffer => {
  const bytes = join(Buffer.alloc(128), [0, 0, 0, 1], 'desc', [0, 0, 0, 144, 0, 0, 0, 99], payload)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.write('mntrRGB XYZ ', 12, 'latin1')
  bytes.write('acsp', 36, 'latin1')
  return bytes
}

const inJpeg = ({ jpeg }: Bases): Carriers => {
  const segment = (marker: number, start: string) => (payload: string) =>
    intoJpeg(jpeg, jpegSegment(marker, join(start, payload)))
  return {
    'a comment': segment(0xfe, ''),
    JFXX: segment(0xe0, 'JFXX\0\x10'),
    EXIF: (payload) => intoJpeg(jpeg, jpegSegment(0xe1, join('Exif\0\0', exif(payload)))),
    XMP: (payload) => segment(0xe1, `http://ns.adobe.com/xap/1.0/${NUL}`)(XMP(payload)),
    'extended XMP': segment(0xe1, `http://ns.adobe.com/xmp/extension/${NUL}${'A'.repeat(40)}`),
    'a colour profile': (payload) =>
      intoJpeg(jpeg, jpegSegment(0xe2, join('ICC_PROFILE\0\x01\x01', profile(payload)))),
    MPF: segment(0xe2, 'MPF\0MM\0*\0\0\0\x08'),
    JUMBF: segment(0xeb, 'JP\0\x01\0\0\0\x01'),
    Ducky: segment(0xec, 'Ducky\0\x01'),
    IPTC: (payload) =>
      segment(
        0xed,
        'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0',
      )(`\0\xff\x1c\x02\x78\0\xf0${payload.slice(0, 240)}`),
    'an Adobe segment': segment(0xee, 'Adobe\0\x64\0\0\0\0\0'),
    'the last application segment': segment(0xef, ''),
    'a table of numbers that is not used': (payload) =>
      intoJpeg(jpeg, jpegSegment(0xdb, join([3], payload.slice(0, 64).padEnd(64, '*')))),
    'a tail': (payload) => join(jpeg, payload),
    'a second picture': (payload) => join(jpeg, segment(0xfe, '')(payload)),
  }
}

const inPng = ({ png }: Bases): Carriers => {
  const chunk =
    (type: string, start = '') =>
    (payload: string) =>
      intoPng(png, pngChunk(type, join(start, payload)))
  return {
    tEXt: chunk('tEXt', 'Comment\0'),
    zTXt: (payload) =>
      intoPng(png, pngChunk('zTXt', join('Comment\0\0', deflateSync(Buffer.from(payload))))),
    iTXt: chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0'),
    'compressed iTXt': (payload) =>
      intoPng(png, pngChunk('iTXt', join('a\0\x01\0\0\0', deflateSync(Buffer.from(payload))))),
    eXIf: (payload) => intoPng(png, pngChunk('eXIf', exif(payload))),
    iCCP: (payload) =>
      intoPng(png, pngChunk('iCCP', join(`${CANARY}\0\0`, deflateSync(profile(payload))))),
    sPLT: chunk('sPLT', 'palette\0\x08'),
    'a private chunk': chunk('plAn'),
    'an unknown chunk that is said to matter': chunk('PLAN'),
    'more data behind the pixels': (payload) =>
      join(png.subarray(0, -12), pngChunk('IDAT', payload), png.subarray(-12)),
    'a further frame': (payload) =>
      join(
        intoPng(png, pngChunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0])).subarray(0, -12),
        pngChunk('fdAT', join([0, 0, 0, 1], payload)),
        png.subarray(-12),
      ),
    'a tail': (payload) => join(png, payload),
    'what is left of a palette': (payload) =>
      blankPng(
        { width: 16, height: 16, colours: 3 },
        pngChunk('PLTE', payload.slice(0, 768).padEnd(768, ' ')),
      ),
    'the end, which has no content': (payload) =>
      join(png.subarray(0, -12), pngChunk('IEND', payload)),
  }
}

const inGif = ({ gif }: Bases): Carriers => {
  const whole = (...parts: readonly Buffer[]): Buffer => join(gifHeader(4, 4), ...parts, GIF_END)
  const frame = gifFrame()
  return {
    'a comment': (payload) => whole(gifExtension(0xfe, payload), frame),
    'an application': (payload) =>
      whole(join([0x21, 0xff, 11], 'XMP DataXMP', gifBlocks(payload)), frame),
    'a plain text': (payload) =>
      whole(join([0x21, 0x01, 12], Buffer.alloc(12), gifBlocks(payload)), frame),
    'an unknown extension': (payload) => whole(gifExtension(0x42, payload), frame),
    'blocks behind the pixels': (payload) => whole(join(frame.subarray(0, -1), gifBlocks(payload))),
    'a comment behind the pixels': (payload) => whole(frame, gifExtension(0xfe, payload)),
    'a second frame': (payload) => whole(frame, gifExtension(0xfe, payload), frame),
    'a tail': (payload) => join(gif, payload),
    // `GIF89a/*…*/=1;script`: a picture 10,799 pixels wide, and a script.
    'a header that begins a script': (payload) =>
      join(
        'GIF89a/*',
        [4, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
        gifExtension(0xfe, payload),
        frame,
        GIF_END,
      ),
    'colours that are not used': (payload) =>
      join(
        'GIF89a',
        [4, 0, 4, 0, 0x87, 0, 0],
        payload.slice(0, 768).padEnd(768, ' '),
        frame,
        GIF_END,
      ),
  }
}

const inWebp = ({ webp }: Bases): Carriers => {
  const picture = webpChunks(webp)
  const chunk = (flags: number, type: string) => (payload: string) =>
    webpOf(webpCanvas(flags, 64, 48), picture, webpChunk(type, payload))
  return {
    EXIF: (payload) => webpOf(webpCanvas(8, 64, 48), picture, webpChunk('EXIF', exif(payload))),
    XMP: (payload) => chunk(4, 'XMP ')(XMP(payload)),
    'a colour profile': (payload) =>
      webpOf(webpCanvas(0x20, 64, 48), webpChunk('ICCP', profile(payload)), picture),
    'an unknown chunk': chunk(0, 'PLAN'),
    'an unknown chunk in front': (payload) =>
      webpOf(webpCanvas(0, 64, 48), webpChunk('PLAN', payload), picture),
    'a frame': (payload) =>
      webpOf(
        webpCanvas(2, 64, 48),
        webpChunk('ANIM', Buffer.alloc(6)),
        webpFrame(64, 48, join(picture, webpChunk('PLAN', payload))),
      ),
    'a tail': (payload) => join(webp, payload),
    'its own length, which begins a script': (payload) => {
      const bytes = join(webp, payload)
      bytes.write('=1/*', 4, 'latin1')
      return bytes
    },
  }
}

const inAvif = ({ avif }: Bases): Carriers => {
  const start = avif.readUInt32BE(0)
  const behindType = (piece: Buffer): Buffer =>
    join(avif.subarray(0, start), piece, avif.subarray(start))
  return {
    'free space': (payload) => join(avif, box('free', payload)),
    'skipped space': (payload) => join(avif, box('skip', payload)),
    'a box of its own': (payload) => join(avif, box('uuid', Buffer.alloc(16), payload)),
    'an unknown box': (payload) => join(avif, box('plan', payload)),
    'user data': (payload) => join(avif, box('moov', box('udta', box('meta', payload)))),
    'more picture data': (payload) => join(avif, box('mdat', payload)),
    'more names of its type': (payload) =>
      behindType(box('ftyp', 'avif', [0, 0, 0, 0], payload.padEnd(400, ' '))),
    'a tail': (payload) => join(avif, payload),
  }
}

const CARRIERS = { jpeg: inJpeg, png: inPng, gif: inGif, webp: inWebp, avif: inAvif } as const

/** Payloads in every part of a picture that can hold other data, and in every language in two of these parts. */
const makePolyglots = (bases: Bases): HostileFile[] =>
  FORMATS.flatMap((format) => {
    const carriers = CARRIERS[format](bases)
    const places = Object.keys(carriers)
    const make = (place: string, language: string): HostileFile => ({
      about: `${format} and ${language} in ${place}`,
      family: `payloads in ${format}`,
      filename: `photo.${EXTENSIONS[format]}`,
      type: `image/${format}`,
      bytes: carriers[place]?.(PAYLOADS[language] ?? '') ?? Buffer.alloc(0),
    })
    const [first = ''] = places
    return [
      ...places.map((place, index) => make(place, index % 2 === 0 ? 'HTML' : 'script')),
      ...['SVG', 'PHP', 'PDF', 'ZIP'].flatMap((language) =>
        [first, 'a tail'].map((place) => make(place, language)),
      ),
    ]
  })

/** Files of another type than declared, by their real type. */
const makeLiars = async (bases: Bases): Promise<HostileFile[]> => {
  const tiff = await sharp(bases.png).tiff().toBuffer()
  const text = (start: string) => join(start, HTML)
  const foreign: Readonly<Record<string, Buffer>> = {
    HTML: text(''),
    'HTML behind the first bytes of a JPEG': text('\xff\xd8\xff'),
    'HTML behind the first bytes of a PNG': join(PNG_SIGNATURE, HTML),
    'HTML behind the first bytes of a GIF': text('GIF89a'),
    'HTML behind the first bytes of a WebP': text('RIFF\x10\0\0\0WEBPVP8 '),
    'HTML behind the first bytes of an AVIF': text('\0\0\0\x18ftypavif'),
    SVG: Buffer.from(PAYLOADS['SVG'] ?? ''),
    'SVG with a declaration that grows': Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "${CANARY}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&c;</text></svg>`,
    ),
    'SVG that names a file': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="file:///etc/passwd"/></svg>',
    ),
    XHTML: text('<?xml version="1.0"?>'),
    script: Buffer.from(SCRIPT),
    TIFF: tiff,
    PDF: Buffer.from(PAYLOADS['PDF'] ?? ''),
    ZIP: Buffer.from(PAYLOADS['ZIP'] ?? '', 'latin1'),
    PHP: Buffer.from(PAYLOADS['PHP'] ?? ''),
    'a Windows program': text('MZ\x90\0\x03\0\0\0\x04\0\0\0'),
    'a Linux program': text('\x7fELF\x02\x01\x01\0'),
    'a shell script': Buffer.from(`#!/bin/sh\necho ${CANARY}\n`),
    'web assembly': text('\0asm\x01\0\0\0'),
    'a bitmap': text('BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0'),
    'an icon': text('\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0'),
    HEIC: join(box('ftyp', 'heic', [0, 0, 0, 0], 'mif1heic'), HTML),
    'HEIF of no kind': join(box('ftyp', 'mif1', [0, 0, 0, 0], 'mif1avif'), HTML),
    'a film': join(box('ftyp', 'isom', [0, 0, 2, 0], 'isomiso2mp41'), HTML),
    'JPEG 2000': text('\0\0\0\x0cjP  \r\n\x87\n'),
    'JPEG XL': text('\xff\x0a\xff\x07'),
    Photoshop: text('8BPS\0\x01\0\0\0\0\0\0'),
    PostScript: text('%!PS-Adobe-3.0 EPSF-3.0\n'),
    'a radiance map': text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n'),
    'a portable map': text('P6\n1 1\n255\n'),
    'a scene of numbers': text('SIMPLE  =                    T'),
    'a matrix': text('MATLAB 5.0 MAT-file'),
    'a sound': text('RIFF\x24\0\0\0WAVEfmt '),
    'a single byte': Buffer.from([0xff]),
    nothing: Buffer.alloc(0),
  }
  const foreigners = Object.entries(foreign).map(([about, bytes], index): HostileFile => {
    const format = FORMATS[index % FORMATS.length] ?? 'jpeg'
    return {
      about: `${about} that says ${format}`,
      family: 'lying types',
      filename: `photo.${EXTENSIONS[format]}`,
      type: `image/${format}`,
      bytes,
    }
  })
  const exchanged = FORMATS.map((format, index): HostileFile => {
    const said = FORMATS[(index + 1) % FORMATS.length] ?? 'jpeg'
    const [bytes = Buffer.alloc(0)] = Object.values(CARRIERS[format](bases)).map((make) =>
      make(HTML),
    )
    return {
      about: `${format} that says ${said}`,
      family: 'lying types',
      filename: `photo.${EXTENSIONS[said]}`,
      type: `image/${said}`,
      bytes,
    }
  })
  const spoken = ['text/html', 'image/svg+xml', 'application/javascript', '', 'image/*', '*/*'].map(
    (type): HostileFile => ({
      about: `jpeg that says ${type || 'nothing'}`,
      family: 'lying types',
      filename: 'photo.html',
      type,
      bytes: inJpeg(bases)['a tail']?.(HTML) ?? Buffer.alloc(0),
    }),
  )
  return [...foreigners, ...exchanged, ...spoken]
}

/** Small files that decode to far too much data. */
const makeBombs = async (bases: Bases): Promise<HostileFile[]> => {
  const MiB = 2 ** 20
  const many = (count: number, piece: Buffer): Buffer => Buffer.alloc(count * piece.length, piece)
  const frames = (count: number): Buffer =>
    webpOf(
      webpCanvas(2, 1, 1),
      webpChunk('ANIM', Buffer.alloc(6)),
      many(count, webpFrame(1, 1, blankVp8l(1, 1))),
    )
  const large = await sharp({
    create: { width: 4000, height: 3000, channels: 3, background: '#2eaeff' },
  })
    .avif({ effort: 0 })
    .toBuffer()
  const bombs: Readonly<Record<Format, Readonly<Record<string, Buffer>>>> = {
    jpeg: {
      'of 65,535 by 65,535 pixels': blankJpeg({ width: 65_535, height: 65_535 }).subarray(0, MiB),
      'of 20,000 by 20,000 pixels': blankJpeg({ width: 20_000, height: 20_000 }),
      'of 48 megapixels, progressive': blankJpeg({ width: 8000, height: 6000, progressive: true }),
      'of 48 megapixels, each component apart': blankJpeg({
        width: 8000,
        height: 6000,
        apart: true,
      }),
      'of 48 megapixels, four components apart': blankJpeg({
        width: 8000,
        height: 6000,
        components: 4,
        apart: true,
      }),
      'of 20,000 scans': blankJpeg({ width: 64, height: 64, progressive: true, repeats: 20_000 }),
      'of 90 scans of 10 megapixels': blankJpeg({
        width: 3600,
        height: 2700,
        progressive: true,
        repeats: 90,
      }),
      'with 4 MiB of profiles': intoJpeg(
        bases.jpeg,
        ...Array.from({ length: 64 }, (_, index) =>
          jpegSegment(0xe2, join('ICC_PROFILE\0', [index + 1, 64], Buffer.alloc(65_000))),
        ),
      ),
      'with 12 MiB of comments': intoJpeg(
        bases.jpeg,
        many(192, jpegSegment(0xfe, Buffer.alloc(65_000, CANARY))),
      ),
      'with 12 MiB of application data': intoJpeg(
        bases.jpeg,
        many(192, jpegSegment(0xe1, Buffer.alloc(65_000, CANARY))),
      ),
    },
    png: {
      'of 50,000 by 50,000 pixels': blankPng({
        width: 50_000,
        height: 50_000,
        depth: 1,
        colours: 0,
      }),
      'of 30,000 by 30,000 colours': blankPng({ width: 30_000, height: 30_000 }),
      'of 2,147,483,647 pixels a side': blankPng({ width: 1, height: 1 }).fill(
        Buffer.from('7fffffff7fffffff', 'hex'),
        16,
        24,
      ),
      'of 7,000 by 7,000, interlaced': blankPng({
        width: 7000,
        height: 7000,
        colours: 6,
        interlaced: true,
      }),
      'of 4,000 by 3,000, interlaced, 16 bits': blankPng({
        width: 4000,
        height: 3000,
        depth: 16,
        colours: 6,
        interlaced: true,
      }),
      'of 50 megapixels in 50 rows': blankPng({
        width: 999_999,
        height: 50,
        depth: 16,
        colours: 6,
      }),
      'of 50 megapixels in 1,000 rows': blankPng({ width: 49_999, height: 1000, colours: 6 }),
      'of 50 megapixels in 50 columns': blankPng({
        width: 50,
        height: 999_999,
        depth: 16,
        colours: 6,
      }),
      'with 500 MiB of text': intoPng(
        bases.png,
        pngChunk('zTXt', join('Comment\0\0', deflatedZeros(500 * MiB))),
      ),
      'with 500 MiB of international text': intoPng(
        bases.png,
        pngChunk('iTXt', join('XML:com.adobe.xmp\0\x01\0\0\0', deflatedZeros(500 * MiB))),
      ),
      'with a profile of 500 MiB': intoPng(
        bases.png,
        pngChunk('iCCP', join('profile\0\0', deflatedZeros(500 * MiB))),
      ),
      'with a profile of 50 MiB': intoPng(
        bases.png,
        pngChunk('iCCP', join('profile\0\0', deflatedZeros(50 * MiB))),
      ),
      'with 100,000 chunks': intoPng(bases.png, many(100_000, pngChunk('tEXt', 'a\0b'))),
      'with pixels in 100,000 chunks': join(
        bases.png.subarray(0, -12),
        many(100_000, pngChunk('IDAT', '')),
        bases.png.subarray(-12),
      ),
      'with 500 MiB behind its pixels': join(
        PNG_SIGNATURE,
        pngHeader({ width: 8, height: 8 }),
        pngChunk('IDAT', deflatedZeros(500 * MiB)),
        pngChunk('IEND', ''),
      ),
      'of 50,000 frames': intoPng(
        bases.png,
        pngChunk('acTL', [0, 0, 0xc3, 0x50, 0, 0, 0, 0]),
        many(50_000, pngChunk('fcTL', Buffer.alloc(26))),
      ),
    },
    gif: {
      'of 65,535 by 65,535 pixels': join(
        gifHeader(65_535, 65_535),
        gifFrame(65_535, 65_535),
        GIF_END,
      ),
      'of 8,000 by 6,000 pixels': join(gifHeader(8000, 6000), gifFrame(8000, 6000), GIF_END),
      'whose frame is larger than it': join(gifHeader(1, 1), gifFrame(20_000, 20_000), GIF_END),
      'whose frame lies far outside': join(
        gifHeader(1, 1),
        gifFrame(1, 1, 65_000, 65_000),
        GIF_END,
      ),
      'whose second frame is huge': join(
        gifHeader(1, 1),
        gifFrame(),
        gifFrame(65_535, 65_535),
        GIF_END,
      ),
      'of 50,000 frames': join(gifHeader(1, 1), many(50_000, gifFrame()), GIF_END),
      'of 1,000,000 frames': join(gifHeader(1, 1), many(1_000_000, gifFrame()), GIF_END),
      'of 200,000 comments': join(
        gifHeader(1, 1),
        many(200_000, gifExtension(0xfe, CANARY)),
        gifFrame(),
        GIF_END,
      ),
      'of no frame and many settings': join(
        gifHeader(1, 1),
        many(200_000, gifExtension(0xf9, [0, 0, 0, 0])),
        GIF_END,
      ),
    },
    webp: {
      'of 16,384 by 16,384 pixels': webpOf(blankVp8l(16_384, 16_384)),
      'of 50 megapixels': webpOf(blankVp8l(7071, 7071)),
      'of 12 megapixels': webpOf(blankVp8l(4000, 3000)),
      'whose canvas is 16,777,216 pixels wide': webpOf(
        webpCanvas(0, 16_777_216, 255),
        blankVp8l(1, 1),
      ),
      'whose picture is larger than its canvas': webpOf(
        webpCanvas(0, 8, 8),
        blankVp8l(16_384, 16_384),
      ),
      'whose frame is larger than its canvas': webpOf(
        webpCanvas(2, 8, 8),
        webpChunk('ANIM', Buffer.alloc(6)),
        webpFrame(8, 8, blankVp8l(16_384, 16_384)),
      ),
      'of two pictures, the second huge': webpOf(blankVp8l(8, 8), blankVp8l(16_384, 16_384)),
      'of 20,000 frames': frames(20_000),
      'of 300,000 frames': frames(300_000),
      'of 200,000 chunks': webpOf(
        webpCanvas(0, 8, 8),
        blankVp8l(8, 8),
        many(200_000, webpChunk('PLAN', '')),
      ),
    },
    avif: {
      'of 12 megapixels': large,
      'of 12 megapixels that says 64 by 48': withAvifSize(large, 64, 48),
      'of 64 by 48 that says 60,000 by 60,000': withAvifSize(bases.avif, 60_000, 60_000),
      'of 64 by 48 that says 7,000 by 7,000': withAvifSize(bases.avif, 7000, 7000),
      'as a grid of 255 by 255': avifGrid(bases.avif, { width: 64, height: 48 }, 255, 255),
      'as a grid of 100 by 100': avifGrid(bases.avif, { width: 64, height: 48 }, 100, 100),
      'as a grid of large tiles': avifGrid(large, { width: 4000, height: 3000 }, 4, 3),
      'with boxes in boxes': join(
        bases.avif,
        Array.from({ length: 400 }).reduce<Buffer>((inner) => box('moov', inner), Buffer.alloc(0)),
      ),
      'with 100,000 boxes': join(bases.avif, many(100_000, box('free', ''))),
      'with 65,535 items': join(
        box('ftyp', 'avif', [0, 0, 0, 0], 'avifmif1miaf'),
        fullBox(
          'meta',
          0,
          fullBox('hdlr', 0, Buffer.alloc(4), 'pict', Buffer.alloc(13)),
          fullBox('pitm', 0, [0, 1]),
          fullBox(
            'iinf',
            0,
            [0xff, 0xff],
            many(65_535, fullBox('infe', 2, [0, 1, 0, 0], 'av01', [0])),
          ),
        ),
      ),
    },
  }
  return FORMATS.flatMap((format) =>
    Object.entries(bombs[format]).map(([about, bytes]) => ({
      about: `${format} ${about}`,
      family: `${format} bombs`,
      filename: `photo.${EXTENSIONS[format]}`,
      type: `image/${format}`,
      bytes,
    })),
  )
}

const patched = (bytes: Buffer, at: number, ...values: readonly number[]): Buffer => {
  const copy = Buffer.from(bytes)
  copy.set(values, at)
  return copy
}

/** Files that are truncated, contradict themselves, or point beyond their end. */
const makeBroken = (bases: Bases): HostileFile[] => {
  const { jpeg, png, gif, webp, avif } = bases
  const at = (bytes: Buffer, mark: Buffer | string): number => bytes.indexOf(mark, 0, 'latin1')
  const frame = at(jpeg, Buffer.from([0xff, 0xc0]))
  const codes = at(jpeg, Buffer.from([0xff, 0xc4]))
  const scan = at(jpeg, Buffer.from([0xff, 0xda]))
  const meta = at(avif, 'meta')
  const broken: Readonly<Record<Format, Readonly<Record<string, Buffer>>>> = {
    jpeg: {
      'no width': patched(jpeg, frame + 7, 0, 0),
      'no height': patched(jpeg, frame + 5, 0, 0),
      'no component': patched(jpeg, frame + 9, 0),
      '255 components': patched(jpeg, frame + 9, 255),
      'samples of 255 bits': patched(jpeg, frame + 4, 255),
      'no sampling': patched(jpeg, frame + 11, 0),
      'odd sampling': patched(jpeg, frame + 11, 0x41),
      'codes that are too many': patched(jpeg, codes + 5, 255, 255, 255),
      'codes that are not there': patched(jpeg, codes, 0xff, 0xfe),
      'no scan': jpeg.subarray(0, scan),
      'a scan before its frame': join(jpeg.subarray(0, 2), jpeg.subarray(scan)),
      'two frames': intoJpeg(jpeg, jpeg.subarray(frame, frame + 19)),
      'a segment longer than the file': intoJpeg(jpeg, join([0xff, 0xfe, 0xff, 0xff])),
      'a segment of no length': intoJpeg(jpeg, join([0xff, 0xfe, 0, 0])),
      'noise where the pixels are': join(jpeg.subarray(0, scan + 14), Buffer.alloc(500, 0xa5)),
      'nothing but fill': join([0xff, 0xd8], Buffer.alloc(1000, 0xff)),
    },
    png: {
      'no width': patched(png, 16, 0, 0, 0, 0),
      'no height': patched(png, 20, 0, 0, 0, 0),
      'a wrong checksum': patched(png, 29, 0, 0, 0, 0),
      'a depth of 255': patched(png, 24, 255),
      'an unknown kind of colours': patched(png, 25, 5),
      'an unknown compression': patched(png, 26, 9),
      'an unknown interlacing': patched(png, 28, 9),
      'no header': join(PNG_SIGNATURE, png.subarray(33)),
      'two headers': intoPng(png, png.subarray(8, 33)),
      'a header that is cut': join(PNG_SIGNATURE, pngChunk('IHDR', [0, 0, 0, 8])),
      'no pixels': join(png.subarray(0, 33), png.subarray(-12)),
      'a chunk longer than the file': intoPng(png, join([0x7f, 255, 255, 255], 'tEXtabcd')),
      'a chunk of negative length': intoPng(png, join([255, 255, 255, 255], 'IDATabcd')),
      'a palette that is missing': join(
        PNG_SIGNATURE,
        pngHeader({ width: 8, height: 8, colours: 3 }),
        pngChunk('IDAT', deflateSync(Buffer.alloc(72))),
        pngChunk('IEND', ''),
      ),
      'pixels that do not inflate': join(
        PNG_SIGNATURE,
        pngHeader({ width: 8, height: 8 }),
        pngChunk('IDAT', HTML),
        pngChunk('IEND', ''),
      ),
      'an unknown filter': join(
        PNG_SIGNATURE,
        pngHeader({ width: 8, height: 8, colours: 0 }),
        pngChunk('IDAT', deflateSync(Buffer.alloc(72, 9))),
        pngChunk('IEND', ''),
      ),
    },
    gif: {
      'no size': patched(gif, 6, 0, 0, 0, 0),
      'no frame': join(gifHeader(4, 4), GIF_END),
      'a frame of no size': join(gifHeader(4, 4), gifFrame(0, 0), GIF_END),
      'codes of 255 bits': join(gifHeader(4, 4), gifFrame().fill(255, 10, 11), GIF_END),
      'codes that refer ahead': join(
        gifHeader(64, 64),
        gifFrame(64, 64).subarray(0, 11),
        gifBlocks(Buffer.alloc(200, 0xff)),
        GIF_END,
      ),
      'a block longer than the file': join(gifHeader(4, 4), gifFrame().subarray(0, 11), [255, 1]),
      'an extension without an end': join(gifHeader(4, 4), [0x21, 0xfe, 255], HTML.slice(0, 100)),
      'an unknown block': join(gifHeader(4, 4), [0x99], gifFrame(), GIF_END),
    },
    webp: {
      'a length of nothing': patched(webp, 4, 0, 0, 0, 0),
      'a length of 4 GiB': patched(webp, 4, 255, 255, 255, 255),
      'a picture longer than the file': patched(webp, 16, 255, 255, 255, 127),
      'no key frame': patched(webp, 20, webp[20] === undefined ? 1 : webp[20] | 1),
      'a wrong start code': patched(webp, 23, 0, 0, 0),
      'no picture': webpOf(webpCanvas(0, 8, 8)),
      'an animation without frames': webpOf(
        webpCanvas(2, 8, 8),
        webpChunk('ANIM', Buffer.alloc(6)),
      ),
      'a frame that is cut': webpOf(
        webpCanvas(2, 8, 8),
        webpChunk('ANIM', Buffer.alloc(6)),
        webpChunk('ANMF', [0, 0, 0]),
      ),
      'codes that are too many': webpOf(webpChunk('VP8L', join([0x2f], Buffer.alloc(40, 0xff)))),
      'transparency without a picture': webpOf(
        webpCanvas(0x10, 8, 8),
        webpChunk('ALPH', [0, 1, 2]),
      ),
    },
    avif: {
      'no size': withAvifSize(avif, 0, 0),
      'a box of no length': patched(avif, meta - 4, 0, 0, 0, 0),
      'a box longer than the file': patched(avif, meta - 4, 0x7f, 255, 255, 255),
      'a box of 64 bits': patched(avif, meta - 4, 0, 0, 0, 1),
      'no item': patched(avif, at(avif, 'iloc') + 10, 0, 0),
      'an item beyond the file': patched(avif, at(avif, 'iloc') + 18, 0x7f, 255, 255, 255),
      'no main item': patched(avif, at(avif, 'pitm') + 8, 9, 9),
      'no description of the coding': patched(avif, at(avif, 'av1C'), 0x66, 0x72, 0x65, 0x65),
      'noise where the pixels are': patched(avif, at(avif, 'mdat') + 4, ...Buffer.alloc(200, 0xa5)),
      'only its type': avif.subarray(0, avif.readUInt32BE(0)),
    },
  }
  const parts = [1, 4, 12, 40, 60, 95]
  return FORMATS.flatMap((format) => {
    const cut = parts.map((percent) => [
      `that breaks off after ${percent} percent`,
      bases[format].subarray(0, Math.ceil((bases[format].length * percent) / 100)),
    ])
    const contradicting = Object.entries(broken[format]).map(([about, bytes]) => [
      `with ${about}`,
      bytes,
    ])
    return [...cut, ...contradicting].map(([about, bytes]) => ({
      about: `${format} ${String(about)}`,
      family: `broken ${format}`,
      filename: `photo.${EXTENSIONS[format]}`,
      type: `image/${format}`,
      bytes: bytes as Buffer,
    }))
  })
}

/** Names with a special meaning in a file system, a shell, a header or a page. */
const NAMES: readonly string[] = [
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\boot.ini',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/x.png',
  '..;/x.png',
  '.',
  '..',
  '...',
  '.htaccess',
  '.env',
  '-rf.png',
  '--help',
  '~root.png',
  'a\0.png',
  'a.png\0.html',
  'a.png%00.html',
  'a\r\nSet-Cookie: a=b\r\n\r\n<script>.png',
  'a\nb.png',
  'a"; filename="b.html',
  "a'; filename*=UTF-8''b.html",
  'a;b.png',
  '<script>alert(1)</script>.png',
  '"><img src=x onerror=alert(1)>.png',
  'a.png.html',
  'a.html.png',
  'a.php.jpg',
  'a.svg',
  'a.js',
  'con',
  'NUL.png',
  'aux.jpg',
  'a.png:b.html',
  'a.png::$DATA',
  '‮gnp.exe',
  'é́́́́.png',
  'ﾒ｢ﾓ.png',
  '😀😀😀.png',
  'a/b/c.png',
  '$(touch x).png',
  '`id`.png',
  '{{7*7}}.png',
  '%s%s%n.png',
  "'; drop table sites; --.png",
  'thumbs_a.png',
  '100x100_a.png',
  '_database',
  ' ',
  `${'a'.repeat(255)}.png`,
  'b'.repeat(4000),
  `${'../'.repeat(500)}x.png`,
]

const makeEvilNames = (bases: Bases): HostileFile[] =>
  NAMES.map((filename) => ({
    about: `a photo by the name ${JSON.stringify(filename.slice(0, 40))}`,
    family: 'evil names',
    filename,
    type: 'image/png',
    bytes: intoPng(bases.png, pngChunk('tEXt', `Comment\0${HTML}`)),
  }))

/** Pixels that spell a payload once they are written. */
const makeSpelled = (): HostileFile[] => {
  const noise = (length: number, seed: number): Buffer => {
    const bytes = Buffer.alloc(length)
    let state = seed
    for (let index = 0; index < length; index += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      bytes[index] = state >> 16
    }
    return bytes
  }
  const rows = (width: number) =>
    Array.from({ length: 64 }, (_, row) => {
      const bytes = noise(width * 3, row + 1)
      if (row % 8 === 3) bytes.write(HTML.slice(0, width * 3), 0, 'latin1')
      return bytes
    })
  return [64, 128, 300].map((width) => ({
    about: `png of ${width} by 64 pixels that spell HTML`,
    family: 'payloads in png',
    filename: 'photo.png',
    type: 'image/png',
    bytes: rawPng({ width, height: 64 }, rows(width)),
  }))
}

/** Malicious files, each with a different attack, on people who open them or on programs that read them. */
export const makeHostileFiles = async (): Promise<readonly HostileFile[]> => {
  const bases = await makeBases()
  return [...(await plant(bases)), ...(await makeBombs(bases)), ...makeBroken(bases)]
}

/** The files with an executable payload. */
export const makePlantedFiles = async (): Promise<readonly HostileFile[]> =>
  plant(await makeBases())

const plant = async (bases: Bases): Promise<readonly HostileFile[]> => [
  ...makePolyglots(bases),
  ...makeSpelled(),
  ...(await makeLiars(bases)),
  ...makeEvilNames(bases),
]
