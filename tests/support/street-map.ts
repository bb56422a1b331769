import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { makePhoto } from './images.ts'

/** A local street map on another origin: a style and tiles. */
export interface StreetMap {
  readonly origin: string
  /** The value of `MAP_STYLE_URL`. */
  readonly styleUrl: string
  /** The requested paths. */
  readonly requested: readonly string[]
  /** Makes everything unreachable, or only the tiles. */
  lose(what: 'everything' | 'tiles'): void
  close(): Promise<void>
}

export const startStreetMap = async (): Promise<StreetMap> => {
  const tile = Buffer.from(
    await (await makePhoto('tile.png', { type: 'png', width: 256, height: 256 })).arrayBuffer(),
  )
  const requested: string[] = []
  let lost: 'everything' | 'tiles' | undefined
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requested.push(path)
    const isTile = path.startsWith('/tiles/')
    if (lost === 'everything' || (lost === 'tiles' && isTile)) return response.destroy()
    response.setHeader('access-control-allow-origin', '*')
    if (isTile) return response.setHeader('content-type', 'image/png').end(tile)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(styleAt(origin)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    styleUrl: `${origin}/style.json`,
    requested,
    lose: (what) => {
      lost = what
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const styleAt = (origin: string) => ({
  version: 8,
  sources: {
    streets: {
      type: 'raster',
      tiles: [`${origin}/tiles/{z}/{x}/{y}.png`],
      tileSize: 256,
      attribution: '<a href="https://streets.example">Streets of Example</a>',
    },
  },
  layers: [{ id: 'streets', type: 'raster', source: 'streets' }],
})
