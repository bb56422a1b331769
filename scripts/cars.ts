import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { PlugGroup } from '#domain/plug-group.ts'
import type { Cars } from '../web/screens/map/cars.ts'
import { root } from './process.ts'

// Regenerates the list of cars: node scripts/cars.ts ev-data.json (decision 0104).

type Port = 'type1' | 'type2' | 'ccs' | 'chademo' | 'tesla_suc' | 'tesla_ccs'

interface Vehicle {
  readonly brand: string
  readonly model: string
  readonly variant: string
  readonly release_year: number | null
  readonly ac_charger: { readonly ports: readonly Port[]; readonly max_power: number }
  readonly dc_charger: { readonly ports: readonly Port[]; readonly max_power: number } | null
}

/** The plug of a port. A car whose only AC port is Type 1 has the American combination of both. */
const plugOf = (port: Port, ac: readonly Port[]): PlugGroup => {
  switch (port) {
    case 'type1':
      return 'TYPE_1'
    case 'type2':
      return 'TYPE_2'
    case 'chademo':
      return 'CHADEMO'
    case 'tesla_suc':
      return 'TESLA'
    case 'ccs':
    case 'tesla_ccs':
      return ac.includes('type1') && !ac.includes('type2') ? 'CCS_1' : 'CCS_2'
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the file ev-data.json of Open EV Data.')
const { data } = JSON.parse(await readFile(file, 'utf8')) as { readonly data: readonly Vehicle[] }
const brands: Cars['brands'][number][] = []
for (const [name, vehicles] of Map.groupBy(data, ({ brand }) => brand)) {
  const cars = new Map<string, Cars['brands'][number]['cars'][number]>()
  for (const { model, variant, release_year, ac_charger, dc_charger } of vehicles) {
    const year = release_year === null ? '' : `(${release_year})`
    const car = [model, variant, year].filter((part) => part !== '').join(' ')
    const ports = [...ac_charger.ports, ...(dc_charger?.ports ?? [])]
    const plugs = [...new Set(ports.map((port) => plugOf(port, ac_charger.ports)))]
    // Some entries lack the model.
    if (plugs.length > 0 && !/^\d+ ?kwh/i.test(car))
      cars.set(car, [car, plugs, ac_charger.max_power, dc_charger?.max_power ?? 0])
  }
  if (cars.size > 0) brands.push({ name, cars: [...cars.values()].toSorted(byName) })
}
const list: Cars = { brands: brands.toSorted((one, other) => one.name.localeCompare(other.name)) }
await writeFile(join(root, 'web/screens/map/cars.json'), `${JSON.stringify(list)}\n`)

function byName([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]) {
  return one.localeCompare(other)
}
