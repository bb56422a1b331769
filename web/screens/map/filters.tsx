import { CarFront, SlidersHorizontal, X } from 'lucide-react'
import { Suspense, useId, useState, type ComponentProps, type ReactElement } from 'react'

import { PLUG_GROUP_NAMES, POWER_CLASSES_KW, type PlugGroup } from '#domain/plug-group.ts'
import { NO_FILTER, type SiteFilter } from '#domain/public-read.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import '../../ui/picture-choice.css'
import { Button } from '../../ui/button.tsx'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { scrollFocusedIntoView } from '../../ui/scroll-into-view.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { fastCharging, isFastCharging, plugGroupName, standardOf } from './plugs.ts'
import { keepPreference } from './use-view.ts'
import { isFiltered } from './view.ts'

interface Props {
  readonly filter: SiteFilter
  readonly onChange: (filter: SiteFilter) => void
}

/** Whether a chip is pressed, and the chip. */
type Chip = readonly [isPressed: boolean, shown: ReactElement]

/**
 * The filters as chips; plug and power open a panel. If the address contains filters, their chips and the button that
 * removes them come first, because a phone shows only the start of the row. No press changes the order.
 */
export const FilterChips = ({ filter, onChange }: Props) => {
  const text = useMessages().find
  const isFast = isFastCharging(filter, fastCharging(navigator.language))
  const isForAll = filter.access.length > 0
  const chip = (label: string, isPressed: boolean, turned: Partial<SiteFilter>): Chip => [
    isPressed,
    <button
      key={label}
      type="button"
      className="chip"
      aria-pressed={isPressed}
      onClick={() => onChange({ ...filter, ...turned })}
    >
      {label}
    </button>,
  ]
  const chips: readonly Chip[] = [
    // A phone shows only two chips completely: the ones that most travellers need.
    [isFast, <FastCharging key="fast" filter={filter} onChange={onChange} />],
    chip(text.openNow, filter.openNow, { openNow: !filter.openNow }),
    [
      !isFast && (filter.plugs.length > 0 || filter.minKw > 0),
      <PlugAndPower key="plug" filter={filter} onChange={onChange} />,
    ],
    chip(text.free, filter.free, { free: !filter.free }),
    chip(text.available, filter.available, { available: !filter.available }),
    chip(text.everybody, isForAll, { access: isForAll ? [] : ['PUBLIC'] }),
  ]
  const [arrived] = useState(() => chips.map(([isPressed]) => isPressed))
  const isFirst = arrived.includes(true)
  const isOn = isFiltered(filter)
  const chipsThatArrived = (isPressed: boolean) =>
    chips.flatMap(([, shown], at) => (arrived[at] === isPressed ? [shown] : []))
  const remove = (isOn || isFirst) && (
    <Button
      look="link"
      // The first button stays, so that the chips do not move under the finger.
      aria-disabled={!isOn}
      onClick={({ currentTarget }) => {
        if (!isOn) return
        // The last button disappears, and would take the focus with it.
        if (!isFirst) currentTarget.closest('fieldset')?.querySelector('button')?.focus()
        keepPreference(NO_FILTER)
        onChange(NO_FILTER)
      }}
    >
      <X className="icon" />
      {text.removeFilters}
    </Button>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only tracks the focus
    <fieldset
      className="chips finder-chips"
      aria-label={text.filters}
      onFocus={scrollFocusedIntoView}
    >
      {isFirst && remove}
      {chipsThatArrived(true)}
      {chipsThatArrived(false)}
      {!isFirst && remove}
    </fieldset>
  )
}

/** A preset for what most travellers need. It disappears once another plug or power is chosen. */
const FastCharging = ({ filter, onChange }: Props) => {
  const messages = useMessages()
  const number = useNumberFormat()
  const fast = fastCharging(navigator.language)
  const isOn = isFastCharging(filter, fast)
  if (!isOn && (filter.plugs.length > 0 || filter.minKw > 0)) return null
  const names = fast.plugs.map((group) => plugGroupName(messages, group))
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={isOn}
      onClick={() => {
        const changed = { ...filter, ...(isOn ? { plugs: [], minKw: 0 } : fast) }
        keepPreference(changed)
        onChange(changed)
      }}
    >
      {[...names, messages.find.fromPower(number(fast.minKw))].join(' · ')}
    </button>
  )
}

const CarChoice = lazyComponent(async () => (await import('./car-choice.tsx')).CarChoice)

/** The list of cars, loaded on request. */
const Car = (props: ComponentProps<typeof CarChoice>) => {
  const text = useMessages().find
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    <fieldset>
      <legend>{text.car}</legend>
      <Suspense fallback={<Spinner />}>
        <CarChoice {...props} />
      </Suspense>
    </fieldset>
  ) : (
    <Button look="link" onClick={() => setOpen(true)}>
      <CarFront className="icon" />
      {text.chooseCar}
    </Button>
  )
}

const PlugAndPower = ({ filter, onChange }: Props) => {
  const messages = useMessages()
  const text = messages.find
  const number = useNumberFormat()
  const id = useId()
  const { plugs, minKw } = filter
  const change = (part: Partial<SiteFilter>) => {
    const changed = { ...filter, ...part }
    keepPreference(changed)
    onChange(changed)
  }
  const toggle = (group: PlugGroup) =>
    change({
      plugs: PLUG_GROUP_NAMES.filter((each) => plugs.includes(each) !== (each === group)),
    })
  // The preset chip beside it already shows this.
  const isFast = isFastCharging(filter, fastCharging(navigator.language))
  const names = isFast ? [] : plugs.map((group) => plugGroupName(messages, group))
  const power = minKw > 0 && !isFast ? [text.fromPower(number(minKw))] : []
  return (
    <>
      <button
        type="button"
        className={`chip ${names.length + power.length > 0 ? 'on' : ''}`}
        popoverTarget={id}
      >
        {plugs[0] === undefined || isFast ? (
          <SlidersHorizontal className="icon" />
        ) : (
          <PlugDrawing standard={standardOf(plugs[0])} />
        )}
        {[...names, ...power].join(' · ') || text.plugAndPower}
      </button>
      <dialog className="finder-panel" id={id} popover="auto" aria-label={text.plugAndPower}>
        <fieldset>
          <legend>{text.plug}</legend>
          <div className="picture-choices">
            {PLUG_GROUP_NAMES.map((group) => (
              <label key={group} className="picture-choice">
                <input
                  type="checkbox"
                  checked={plugs.includes(group)}
                  onChange={() => toggle(group)}
                />
                <PlugDrawing standard={standardOf(group)} />
                <span>{plugGroupName(messages, group)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Car onChoose={(own) => change({ plugs: own })} />
        <fieldset>
          <legend>{text.power}</legend>
          <div className="chips">
            {POWER_CLASSES_KW.map((kw) => (
              <button
                key={kw}
                type="button"
                className="chip"
                aria-pressed={minKw === kw}
                onClick={() => change({ minKw: kw })}
              >
                {kw === 0 ? text.anyPower : text.fromPower(number(kw))}
              </button>
            ))}
          </div>
        </fieldset>
        <p className="finder-panel-foot">
          <span className="muted">{text.kept}</span>
          <Button look="primary" popoverTarget={id} popoverTargetAction="hide">
            {text.show}
          </Button>
        </p>
      </dialog>
    </>
  )
}
