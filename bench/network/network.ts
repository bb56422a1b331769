import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { API } from '../../domain/paths.ts'
import { startLoadClient, type LoadClient } from '../load/client.ts'
import { estimate } from '../measure/stats.ts'
import { find, format, type Finding, type Target } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'
import { startProvider, type Provider } from '../provider.ts'
import { measure, underLoad, type Measurement } from '../server/measure.ts'
import type { Parts } from '../server/workloads.ts'
import { makeOwners, type Owner, type Rows } from '../sides/data.ts'
import { startOurs } from '../sides/ours.ts'
import { findPeer, startPeer, titleOf } from '../sides/peer.ts'
import { describe } from './describe.ts'
import { measureExports } from './exports.ts'
import { POSITION, publicPeerCollections } from '../sides/peer-schema.ts'
import type { Side } from '../sides/side.ts'
import { readStations, type Station } from './register.ts'
import { networkRows, placeOf, type Placed } from './stations.ts'
import { measureWrites } from './writes.ts'

/** Numbers of sites in the network. */
const SIZES = [10_000, 100_000, 1_000_000] as const
/** For quick runs. */
const QUICK_SIZES = [10_000] as const
const SITES_PER_OWNER = 50
/** With fewer connections the cores are not busy; a read may have its own number. */
const CONNECTIONS = 16
/** The number of different requests of a workload. */
const REQUESTS = 500

/** Requests of travellers to the network, with a target for each size. */
interface Read {
  readonly name: string
  readonly title: string
  /** The figure to which the targets apply. */
  readonly figure: {
    readonly title: string
    readonly unit: string
    readonly of: (measured: Measurement) => number
  }
  /** The number of concurrent requests; 1 where the target is the waiting time of a person. */
  readonly connections?: number
  /** One target for each of `SIZES`; undefined if there is none. */
  readonly targets?: readonly [Target, Target, Target]
  /** The n-th request, near a site. */
  readonly request: (place: Placed, index: number) => string
}

const CPU = { title: 'CPU', unit: ' ms', of: ({ cpuMsEach }: Measurement) => cpuMsEach }
const RATE = { title: 'a second', unit: '', of: ({ perSecond }: Measurement) => perSecond }
const P50 = { title: 'p50', unit: ' ms', of: ({ p50Ms }: Measurement) => p50Ms }

const atMost = (...limits: readonly [number, number, number]) =>
  limits.map((limit) => ({ atMost: limit })) as unknown as [Target, Target, Target]
const atLeast = (...limits: readonly [number, number, number]) =>
  limits.map((limit) => ({ atLeast: limit })) as unknown as [Target, Target, Target]

const query = (values: Readonly<Record<string, string | number>>): string =>
  `${API.publicSites}?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()}`

/** The path of the tile that contains a place. */
const tileAt = ({ latitude, longitude }: Placed, zoom: number): string => {
  const tiles = 2 ** zoom
  const sine = Math.sin((latitude * Math.PI) / 180)
  const x = Math.floor(((longitude + 180) / 360) * tiles)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles)
  return API.publicTile(String(zoom), String(x), String(y))
}

const FILTERS = ['', '?plug=CCS_2', '?plug=CCS_2&min_kw=50', '?available=true']

/** The size at which the peer is also measured, with targets for its CPU time relative to ours. */
const COMPARED_SIZE = 100_000

/** How the peer finds the sites of a box: by its `geoPoint`, or, at best, by two indexed numbers. */
const PEER_BOXES = [
  {
    title: 'by its geoPoint',
    target: { atLeast: 60 },
    filter: ({ latitude, longitude }: Placed) =>
      `geoDistance(${POSITION}.lon, ${POSITION}.lat, ${longitude}, ${latitude}) < ${BOX_KM}`,
  },
  {
    title: 'by two indexed numbers',
    target: { atLeast: 5 },
    filter: ({ latitude, longitude }: Placed) =>
      [
        `latitude >= ${latitude - BOX_DEGREES} && latitude <= ${latitude + BOX_DEGREES}`,
        `longitude >= ${longitude - BOX_DEGREES} && longitude <= ${longitude + BOX_DEGREES}`,
      ].join(' && '),
  },
] as const

/** The radius of a circle that is as large as the box in central Europe. */
const BOX_KM = 20

/** Half of the edge of a box that contains some dozens of sites in a town, in degrees. */
const BOX_DEGREES = 0.2

/** A name with a missing letter, as somebody might type it on a phone. */
const mistyped = (name: string): string =>
  name.length < 6 ? name : name.slice(0, name.length - 3) + name.slice(name.length - 2)

/** A longitude from -180 to 180. */
const wrapped = (longitude: number): number => ((longitude + 540) % 360) - 180

export const READS: readonly Read[] = [
  {
    name: 'tiles',
    title: 'tile of zoom 6 to 14, with and without filters',
    figure: CPU,
    targets: atMost(1, 1, 4),
    request: (place, index) =>
      tileAt(place, 6 + (index % 9)) + (FILTERS[index % FILTERS.length] ?? ''),
  },
  {
    name: 'wide-tiles',
    title: 'tile of zoom 0 to 5, with and without filters',
    figure: CPU,
    targets: atMost(5, 10, 20),
    request: (place, index) => tileAt(place, index % 6) + (FILTERS[index % FILTERS.length] ?? ''),
  },
  {
    name: 'nearest',
    title: 'nearest 20, with connectors',
    figure: RATE,
    targets: atLeast(4000, 3500, 3000),
    request: ({ latitude, longitude }) =>
      query({ near: `${latitude + 0.01},${longitude}`, limit: 20 }),
  },
  {
    name: 'box',
    title: 'box of 50, with connectors',
    figure: CPU,
    request: ({ latitude, longitude }) =>
      query({
        bbox: [
          wrapped(longitude - BOX_DEGREES),
          latitude - BOX_DEGREES,
          wrapped(longitude + BOX_DEGREES),
          latitude + BOX_DEGREES,
        ]
          .map((degrees) => degrees.toFixed(4))
          .join(),
        limit: 50,
      }),
  },
  {
    name: 'text',
    title: 'search by a word with a typing error',
    figure: P50,
    connections: 1,
    targets: atMost(3, 6, 25),
    request: ({ station }) =>
      query({ q: mistyped(station.site.city || station.site.name), limit: 20 }),
  },
]

/** The public reads in networks with realistic clustering (`REGISTER` names a file of the French register). */
export const networkPart: Part = {
  name: 'network',
  topics: [...READS.map(({ name }) => name), 'writes', 'exports'],
  run: async (options) => {
    const file = process.env['REGISTER']
    if (!file)
      return {
        findings: [],
        details: [],
        notes: ['The network was not measured: REGISTER names no file of the French register.'],
      }
    const stations = await readStations(file)
    const provider = await startProvider()
    const client = startLoadClient()
    const reports: Report[] = []
    try {
      const sizes = options.doubt === undefined ? SIZES : QUICK_SIZES
      for (const [index, sites] of sizes.entries())
        reports.push(await measureSize(sites, index, { options, stations, provider, client }))
      return {
        findings: reports.flatMap(({ findings }) => findings),
        details: reports.flatMap(({ details }) => details),
        notes: [
          `Ours alone, one size after the other; ${CONNECTIONS} connections where nothing else is said, ${options.effort.pairs} rounds of ${options.effort.ms / 1000} s. ${format(stations.length)} stations of the French register, repeated over the world.`,
        ],
      }
    } finally {
      await client.close()
      await provider.close()
    }
  },
}

interface Tools {
  readonly options: PartRun
  readonly stations: readonly Station[]
  readonly provider: Provider
  readonly client: LoadClient
}

const measureSize = async (
  sites: number,
  sizeIndex: number,
  { options, stations, provider, client }: Tools,
): Promise<Report> => {
  options.say(`Filling a network with ${format(sites)} sites.`)
  const owners = makeOwners([
    { owners: sites / SITES_PER_OWNER, sitesEach: SITES_PER_OWNER, connectorsPerSite: 0 },
  ])
  const folder = join(options.folder, `network-${sites}`)
  await mkdir(folder, { recursive: true })
  const rows = networkRows(stations, owners)
  const [writer] = owners
  if (writer === undefined) throw new Error('There are no owners.')
  const side = await startOurs({ folder, owners, signedIn: [writer], provider, rows })
  const findings: Finding[] = []
  const details: Report['details'][number][] = []
  try {
    for (const read of READS.filter(({ name }) => options.wants(name))) {
      const rounds = await measureRounds(client, side, read, { stations, sites, options })
      findings.push(
        find({
          part: 'network',
          what: `${read.title}, of ${format(sites)} sites: ${read.figure.title}`,
          estimate: estimate(rounds.map(read.figure.of)),
          target: read.targets?.[sizeIndex],
          unit: read.figure.unit,
          doubt: options.doubt,
        }),
      )
      details.push(describe(read.title, sites, rounds))
      options.say(`${findings.at(-1)?.what ?? ''}: ${findings.at(-1)?.measured ?? ''}`)
    }
    if (options.wants('writes')) {
      const written = await measureWrites(side, writer, { sites, folder, client }, options)
      findings.push(...written.findings)
      details.push(...written.details)
    }
    if (options.wants('exports')) {
      const exported = await measureExports(side, sites, options)
      findings.push(...exported.findings)
      details.push(...exported.details)
    }
  } finally {
    await side.stop()
  }
  if (sites === COMPARED_SIZE && options.wants('box')) {
    const ours = findings.find(({ what }) => what.startsWith('box'))?.measured
    const compared = await measurePeer(sites, rows, owners, { options, stations, provider, client })
    const ourCpuMs = Number(details.find(({ read }) => read?.startsWith('box'))?.['CPU ms each'])
    for (const { title, target, rounds, read } of compared) {
      findings.push(
        find({
          part: 'network',
          what: `box of 50 of ${format(sites)} sites: CPU of the peer ${title}, by ours (${ours})`,
          estimate: estimate(rounds.map(({ cpuMsEach }) => cpuMsEach / ourCpuMs)),
          target,
          unit: 'x',
          doubt: options.doubt,
        }),
      )
      details.push(describe(read.title, sites, rounds))
      options.say(`${findings.at(-1)?.what ?? ''}: ${findings.at(-1)?.measured ?? ''}`)
    }
  }
  return { findings, details, notes: [] }
}

/** Measures the box of 50 with the peer, on the same network. */
const measurePeer = async (
  sites: number,
  rows: Rows,
  owners: readonly Owner[],
  { options, stations, provider, client }: Tools,
) => {
  const peer = await findPeer(options.peer)
  const folder = join(options.folder, `network-peer-${sites}`)
  await mkdir(folder, { recursive: true })
  const { columns, rows: each } = rows.sites
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) => columns.indexOf(name))
  const withPosition = function* () {
    for (const row of each())
      yield [...row, JSON.stringify({ lon: row[longitude ?? 0], lat: row[latitude ?? 0] })]
  }
  const peerRows: Rows = {
    ...rows,
    sites: { columns: [...columns, POSITION], rows: withPosition },
  }
  const ground = { folder, owners, signedIn: [], provider, rows: peerRows }
  const side = await startPeer(peer, ground, 'FULL', publicPeerCollections())
  try {
    const compared = []
    for (const { title, target, filter } of PEER_BOXES) {
      const read: Read = {
        name: 'box',
        title: `box of 50, ${titleOf(peer)} ${title}`,
        figure: CPU,
        request: (place) =>
          `/api/collections/sites/records?${new URLSearchParams({
            filter: filter(place),
            perPage: '50',
            skipTotal: '1',
            expand: 'connectors_via_site',
          }).toString()}`,
      }
      const rounds = await measureRounds(client, side, read, { stations, sites, options })
      compared.push({ title, target, rounds, read })
    }
    return compared
  } finally {
    await side.stop()
  }
}

/** Requests at sites spread over the network. */
const requestsOf = (
  { request }: Read,
  stations: readonly Station[],
  sites: number,
): readonly Parts[] =>
  Array.from({ length: REQUESTS }, (_, index) => {
    const place = placeOf(stations, Math.floor((index * sites) / REQUESTS))
    return [{ path: request(place, index) }]
  })

const measureRounds = async (
  client: LoadClient,
  side: Side,
  read: Read,
  {
    stations,
    sites,
    options: { effort },
  }: { readonly stations: readonly Station[]; readonly sites: number; readonly options: PartRun },
): Promise<readonly Measurement[]> => {
  const contender = underLoad(client, side, requestsOf(read, stations, sites), {
    connections: read.connections ?? CONNECTIONS,
  })
  await contender.perform(effort.warmUpMs)
  const rounds: Measurement[] = []
  for (let round = 0; round < effort.pairs; round += 1)
    rounds.push(await measure(contender, effort.ms))
  return rounds
}
