import type { ComponentProps } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Link, useLocation } from 'react-router'

import { TARIFFS } from '#domain/collection.ts'
import type { sites } from '#domain/site.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { TextsOf } from '../../format/field-text.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { SelectField } from '../../ui/text-field.tsx'
import type { SiteControlProps } from './field-control.tsx'
import { originState } from './price-origin.ts'
import { useTariffSentence } from '../../traveller/use-tariff-sentence.ts'

/** The price of a site or of a bulk update, chosen from those of the business, and its description. */
export const TariffField = (props: SiteControlProps) => {
  const { isForMany, isMixed: _, hint, ...control } = props
  const text = useMessages().tariffs
  const form = useFormContext<TextsOf<typeof sites>>()
  const [chosen, cost] = useWatch({ control: form.control, name: ['tariff', 'cost'] })
  const hasPrices = recordsIn(useStoreState().data, TARIFFS).length > 0
  return (
    <>
      <TariffSelect {...control} none={text.noPrice} chosen={chosen} hint={hint} />
      {chosen !== '' && cost.trim() !== '' && <p className="hint">{text.insteadOfCost}</p>}
      {(isForMany !== true || !hasPrices) && <AddPriceLink connectors={[]} />}
    </>
  )
}

interface AddProps {
  /** The connectors that get the new price; empty for the site. */
  readonly connectors: readonly string[]
}

/** Links to the form of a new price, which returns here with the price chosen. */
export const AddPriceLink = ({ connectors }: AddProps) => {
  const { pathname, search, state } = useLocation()
  const origin = { path: pathname + search, state: state as unknown, connectors }
  return (
    <Link className="button" to={PATHS.addPrice} state={originState(origin)}>
      {useMessages().tariffs.add}
    </Link>
  )
}

type SelectProps = Omit<ComponentProps<typeof SelectField>, 'children'> & {
  /** The label of the empty choice. */
  readonly none: string
  readonly chosen: string
}

/** A select with the prices of the business, and the description of the chosen one. */
export const TariffSelect = ({ none, chosen, hint, ...select }: SelectProps) => {
  const all = recordsIn(useStoreState().data, TARIFFS)
  const tariff = all.find(({ id }) => id === chosen)
  const describeTariff = useTariffSentence()
  const { notFound } = useMessages().tariffs
  // A price that has been deleted meanwhile. Shown as "none", it would still be sent, and could not be cleared.
  const gone = chosen !== '' && tariff === undefined ? [{ id: chosen, name: notFound }] : []
  return (
    <SelectField {...select} hint={tariff === undefined ? hint : describeTariff(tariff)}>
      <option value="">{none}</option>
      {[...gone, ...all].map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
