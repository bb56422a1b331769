import { useEffect, useState } from 'react'

import { PLUG_GROUP_NAMES, type PlugGroup } from '#domain/plug-group.ts'
import { deviceStorage } from '../../storage.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { Select } from '../../ui/select.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import carsUrl from './cars.json?url'
import type { Cars } from './cars.ts'

interface Props {
  /** Called with the plugs of a car. */
  readonly onChoose: (plugs: readonly PlugGroup[]) => void
}

const STORAGE_KEY = 'car'
const SEPARATOR = '\n'

/** Chooses a car by brand and model. Stores the choice on this device. */
export const CarChoice = ({ onChoose }: Props) => {
  const messages = useMessages()
  const text = messages.find
  const number = useNumberFormat()
  const cars = useCars()
  const [[brand = '', model = ''], setCar] = useState(
    () => deviceStorage.get(STORAGE_KEY)?.split(SEPARATOR) ?? [],
  )
  if (cars === 'loading') return <Spinner />
  if (cars === 'failed') return <p role="alert">{text.carsFailed}</p>
  const models = cars.brands.find(({ name }) => name === brand)?.cars ?? []
  const car = models.find(([name]) => name === model)
  const choose = (...chosen: string[]) => {
    setCar(chosen)
    deviceStorage.set(STORAGE_KEY, chosen.join(SEPARATOR))
    const [, plugs] = models.find(([name]) => name === chosen[1]) ?? []
    if (plugs !== undefined) onChoose(PLUG_GROUP_NAMES.filter((group) => plugs.includes(group)))
  }
  const [, , acKw = 0, dcKw = 0] = car ?? []
  const powers = (
    [
      ['AC', acKw],
      ['DC', dcKw],
    ] as const
  )
    .filter(([, kw]) => kw > 0)
    .map(([current, kw]) => `${messages.facts.power(number(kw))} ${current}`)
  return (
    <div className="stack">
      <div className="finder-car">
        <label>
          {text.brand}
          <Select value={brand} onChange={({ target }) => choose(target.value)}>
            <option value="">{text.choose}</option>
            {cars.brands.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
        <label>
          {text.model}
          <Select
            value={model}
            disabled={models.length === 0}
            onChange={({ target }) => choose(brand, target.value)}
          >
            <option value="">{text.choose}</option>
            {models.map(([name]) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
      </div>
      {car !== undefined && <p>{text.carPower(powers)}</p>}
      <p className="muted">
        {text.carSource}{' '}
        <a href="https://github.com/KilowattApp/open-ev-data" rel="noopener nofollow">
          Open EV Data
        </a>
      </p>
    </div>
  )
}

const useCars = (): Cars | 'loading' | 'failed' => {
  const [cars, setCars] = useState<Cars | 'loading' | 'failed'>('loading')
  useEffect(() => {
    const ending = new AbortController()
    const load = async () => {
      try {
        const answer = await fetch(carsUrl, { signal: ending.signal })
        setCars(answer.ok ? ((await answer.json()) as Cars) : 'failed')
      } catch {
        if (!ending.signal.aborted) setCars('failed')
      }
    }
    void load()
    return () => ending.abort()
  }, [])
  return cars
}
