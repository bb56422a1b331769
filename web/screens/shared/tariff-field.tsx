import { useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'

import { TARIFFS } from '#domain/collection.ts'
import type { sites } from '#domain/site.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { TextsOf } from '../../format/field-text.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { SelectField } from '../../ui/text-field.tsx'
import type { SiteControlProps } from './site-field.tsx'
import { useTariffSentence } from './use-tariff-sentence.ts'

/** The price of a site or of many, chosen among those of the business, and what it says. */
export const TariffField = ({ isForMany, hint, ...control }: SiteControlProps) => {
  const text = useMessages().tariffs
  const form = useFormContext<TextsOf<typeof sites>>()
  const [chosen, cost] = useWatch({ control: form.control, name: ['tariff', 'cost'] })
  const all = recordsIn(useStoreState().data, TARIFFS)
  const tariff = all.find(({ id }) => id === chosen)
  const say = useTariffSentence()
  return (
    <>
      <SelectField {...control} hint={tariff === undefined ? hint : say(tariff)}>
        <option value="">{text.noPrice}</option>
        {all.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {tariff !== undefined && cost.trim() !== '' && <p className="hint">{text.insteadOfCost}</p>}
      {(isForMany !== true || all.length === 0) && (
        <Link className="button" to={PATHS.addPrice}>
          {text.add}
        </Link>
      )}
    </>
  )
}
