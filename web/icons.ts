import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import sharp from 'sharp'
import type { Plugin } from 'vite'

import { APP_ICONS, TOUCH_ICON } from '#domain/icons.ts'

const FAVICON_PX = 32
/** The share of an icon that remains on devices that mask it: at least the middle four fifths. */
const MASK_SCALE = 0.8

/** Emits the icons of the installed app and the `.ico` favicon, all from one drawing. */
export const icons = (): Plugin => ({
  name: 'icons',
  apply: 'build',
  generateBundle: async function () {
    const svg = await readFile(join(import.meta.dirname, 'public/assets/favicon.svg'), 'utf8')
    const [, tile = ''] = /<rect[^>]*fill="(#\w+)"/.exec(svg) ?? []
    const square = svg.replace(/ rx="\d+"/, '')
    const emit = (fileName: string, source: Uint8Array): void => {
      this.emitFile({ type: 'asset', fileName, source })
    }
    for (const { file, sizePx, purpose } of APP_ICONS)
      emit(
        file,
        purpose === 'maskable' ? await drawMaskable(square, tile, sizePx) : await draw(svg, sizePx),
      )
    emit(TOUCH_ICON.file, await draw(square, TOUCH_ICON.sizePx))
    emit('favicon.ico', wrapIcon(await draw(svg, FAVICON_PX), FAVICON_PX))
  },
})

const draw = (svg: string, sizePx: number): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: 1200 })
    .resize(sizePx, sizePx)
    .png({ compressionLevel: 9 })
    .toBuffer()

const drawMaskable = async (svg: string, tile: string, sizePx: number): Promise<Buffer> => {
  const inner = Math.round(sizePx * MASK_SCALE)
  const before = Math.floor((sizePx - inner) / 2)
  const after = sizePx - inner - before
  return sharp(await draw(svg, inner))
    .extend({ top: before, left: before, bottom: after, right: after, background: tile })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Wraps a PNG as an .ico file: a header of 6 bytes, one entry of 16, the picture. */
const wrapIcon = (png: Buffer, sizePx: number): Buffer => {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(sizePx, 6)
  header.writeUInt8(sizePx, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
