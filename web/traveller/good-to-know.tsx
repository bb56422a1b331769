import {
  Accessibility,
  Bike,
  Car,
  DoorOpen,
  FoldVertical,
  Signpost,
  SquareParking,
  TriangleAlert,
  Truck,
  type LucideIcon,
} from 'lucide-react'

import { choiceLabel, valueLabel } from '../messages/fields.ts'
import { useMessages, useNumberFormat } from '../messages/messages.ts'
import type { ShownSite } from './shown-site.ts'

interface Fact {
  readonly icon: LucideIcon
  readonly label: string
  /** Empty if the label is sufficient. */
  readonly text: string
}

const METRES = { style: 'unit', unit: 'meter' } as const

/** Further known facts about a site: who may charge, how to park, what is nearby. Unknown facts are left out. */
export const useGoodToKnow = (site: ShownSite): readonly Fact[] => {
  const messages = useMessages()
  const metres = useNumberFormat(METRES)
  const labels = messages.fields.sites
  const words = (icon: LucideIcon, name: 'access' | 'parking_type' | 'wheelchair') => ({
    icon,
    label: labels[name],
    text: site[name] === 'UNKNOWN' ? '' : choiceLabel(messages, name, site[name]),
  })
  const list = (icon: LucideIcon, name: 'parking_restrictions' | 'facilities') => ({
    icon,
    label: labels[name],
    text: valueLabel(messages, name, site[name]),
  })
  const known = [
    words(DoorOpen, 'access'),
    {
      icon: Car,
      label: messages.traveller.capacity,
      text: site.vehicle_capacity > 0 ? messages.facts.capacity(site.vehicle_capacity) : '',
    },
    words(SquareParking, 'parking_type'),
    list(TriangleAlert, 'parking_restrictions'),
    {
      icon: FoldVertical,
      label: labels.max_height_m,
      text: site.max_height_m > 0 ? metres(site.max_height_m).replace(' ', '\u00A0') : '',
    },
    words(Accessibility, 'wheelchair'),
    list(Signpost, 'facilities'),
  ].filter(({ text }) => text !== '')
  return [
    ...known,
    ...(site.two_wheelers ? [{ icon: Bike, label: labels.two_wheelers, text: '' }] : []),
    ...(site.drive_through ? [{ icon: Truck, label: labels.drive_through, text: '' }] : []),
  ]
}

/** Facts with their icons. */
export const GoodToKnow = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <ul className="traveller-facts">
    {facts.map(({ icon: Icon, label, text }) => (
      <li key={label}>
        <Icon className="icon" />
        <span>
          {text === '' ? (
            label
          ) : (
            <>
              <span className="muted">{label}</span> {text}
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
)
