import { useFormContext, useWatch } from 'react-hook-form'

import { useLanguage } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { leaveChargePoints, sharedChargePoints } from './charge-points.ts'
import { describeRow } from './describe-row.ts'
import type { SiteText } from './site-values.ts'

/** Lists the connectors that share a charge point, with a button to separate them. */
export const ChargePointList = () => {
  const { messages, locale } = useLanguage()
  const text = messages.connectors
  const { control, setValue } = useFormContext<SiteText>()
  const rows = useWatch({ control, name: 'connectors' })
  const separate = (evses: readonly string[]) => {
    const next = leaveChargePoints(rows, (_row, evse) => evses.includes(evse))
    for (const [at, { details }] of next.entries())
      setValue(`connectors.${at}.details`, details, { shouldDirty: true })
  }
  const points = sharedChargePoints(rows)
  if (points.length === 0) return null
  return (
    <ul className="charge-points" aria-label={text.chargePointsTitle}>
      {points.map(({ evses, members }) => {
        const plugs = members
          .map(({ row, count }) => describeRow(messages, locale, row, count))
          .join(' + ')
        return (
          <li key={evses[0]}>
            <span>{text.oneAtATime(messages.site.chargePoints(evses.length), plugs)}</span>
            <Button look="link" aria-label={text.separate(plugs)} onClick={() => separate(evses)}>
              {text.separate('')}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
