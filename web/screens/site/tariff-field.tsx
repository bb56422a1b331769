import { useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'

import { TARIFFS } from '#domain/collection.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { SelectField } from '../../ui/text-field.tsx'
import { useTariffSentence } from '../shared/use-tariff-sentence.ts'
import type { SiteText } from './site-values.ts'
import { useSiteField } from './use-field.ts'

/** The price of a site, chosen among those of the business, and what it says. */
export const TariffField = () => {
  const text = useMessages().tariffs
  const field = useSiteField()
  const { control } = useFormContext<SiteText>()
  const [chosen, cost] = useWatch({ control, name: ['tariff', 'cost'] })
  const all = recordsIn(useStoreState().data, TARIFFS)
  const tariff = all.find(({ id }) => id === chosen)
  const say = useTariffSentence()
  return (
    <>
      <SelectField hint={tariff && say(tariff)} {...field('tariff')}>
        <option value="">{text.noPrice}</option>
        {all.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {tariff !== undefined && cost.trim() !== '' && <p className="hint">{text.insteadOfCost}</p>}
      <Link className="button" to={PATHS.addPrice}>
        {text.add}
      </Link>
    </>
  )
}
