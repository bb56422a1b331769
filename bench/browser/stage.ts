import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { SITES } from '../../domain/collection.ts'
import { API } from '../../domain/paths.ts'
import { sitePage, slugOf } from '../../domain/site-address.ts'
import { root } from '../../scripts/process.ts'
import { makePicture } from '../../tests/support/images.ts'
import { startProvider } from '../provider.ts'
import { makeOwners, siteIdOf, type Owner } from '../sides/data.ts'
import { settingsOf, startOurs } from '../sides/ours.ts'
import { call, untilHealthy } from '../sides/side.ts'
import { fatten } from './fatten.ts'

/** The owner of the browser's session: with many sites, with the usual number, or without a business. */
export type Cast = Readonly<Record<'crowded' | 'usual' | 'newcomer', Owner>>

/** Our server with its data. */
export interface Stage {
  readonly url: string
  /** The folder of the build that it serves. */
  readonly webDir: string
  readonly cast: Cast
  /** The path of the public page of a site with photos. */
  readonly sitePath: string
  /** A session in the format of the app. */
  sessionOf(owner: Owner): Promise<string>
  close(): Promise<void>
}

/** The number of sites of the usual dashboard and of the large one (spec 11). */
const GROUPS = [
  { owners: 1, sitesEach: 10_000, connectorsPerSite: 3 },
  { owners: 1, sitesEach: 50, connectorsPerSite: 3 },
  { owners: 1, sitesEach: 0, connectorsPerSite: 0 },
] as const

export const firstSiteOf = (owner: Owner): string => siteIdOf(owner, 0)

/**
 * Starts our server like `npm start`, with a production build, on fresh data.
 * @param isFat whether the script that every page loads contains 100 kB of unused code
 */
export const startStage = async (folder: string, isFat: boolean): Promise<Stage> => {
  await mkdir(folder, { recursive: true })
  const owners = makeOwners(GROUPS)
  const [crowded, usual, newcomer] = owners as readonly [Owner, Owner, Owner]
  const provider = await startProvider()
  const ground = { folder, owners: [crowded, usual], signedIn: owners, provider }
  const ours = await startOurs(ground).catch(async (error: unknown) => {
    await provider.close()
    throw error
  })
  let { port } = ours
  let stop = () => ours.stop()
  let webDir = join(root, 'web/dist')
  if (isFat) {
    await ours.stop()
    webDir = await fatten(webDir, join(folder, 'web'))
    const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), webDir], {
      env: { PATH: process.env['PATH'] ?? '', ...settingsOf(ground, port) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    stop = () => end(child)
    await untilHealthy(port, () => child.exitCode !== null)
  }
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    webDir,
    cast: { crowded, usual, newcomer },
    sitePath: await publishSite(url, firstSiteOf(usual), ours.tokenOf(usual)),
    sessionOf: async (owner) => {
      const token = ours.tokenOf(owner)
      const record = await call(port, 'GET', `/api/collections/users/records/${owner.id}`, {
        token,
      })
      return JSON.stringify({ token, record })
    },
    close: async () => {
      await stop()
      await provider.close()
    },
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Adds photos to a site, and returns the path of its public page. */
const publishSite = async (url: string, id: string, token: string): Promise<string> => {
  const body = new FormData()
  body.set('name', 'Harbour Lane Quay')
  body.set('status', 'AVAILABLE')
  for (const scene of [1, 2, 3]) body.append('photos', await makePicture(`${scene}.jpg`, scene))
  const answer = await fetch(url + API.record(SITES, id), {
    method: 'PATCH',
    headers: { authorization: token },
    body,
  })
  if (!answer.ok) throw new Error(`The site for travellers was answered ${answer.status}.`)
  return sitePage(id, slugOf('Harbour Lane Quay'))
}
