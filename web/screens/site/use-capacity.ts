import { useEffect, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

import { isCapacityDoubtful } from '#domain/plug.ts'
import { useMessages } from '../../messages/messages.ts'
import { parseDecimal } from '../../format/decimal.ts'
import { countChargePoints } from './charge-points.ts'
import type { SiteText } from './site-values.ts'

/** One vehicle per charge point by default. */
const suggest = (points: number): string => String(Math.max(points, 1))

/**
 * The capacity in vehicles. In a new site it follows the charge points until the owner enters a number; an implausible
 * number causes a warning.
 */
export const useCapacity = (isNew: boolean) => {
  const { facts, site } = useMessages()
  const { control, getValues, setValue } = useFormContext<SiteText>()
  const [connectors, capacity] = useWatch({ control, name: ['connectors', 'vehicle_capacity'] })
  const kinds = connectors.map(({ ids }) => ids.length)
  const plugs = kinds.reduce((sum, count) => sum + count, 0)
  const points = countChargePoints(connectors)
  const [follows, setFollows] = useState(
    () => isNew && getValues('vehicle_capacity') === suggest(points),
  )
  const before = useRef(points)

  useEffect(() => {
    if (before.current === points) return
    before.current = points
    if (follows) setValue('vehicle_capacity', suggest(points), { shouldValidate: true })
  }, [points, follows, setValue])

  const vehicles = parseDecimal(capacity)
  const isDoubtful = vehicles !== undefined && isCapacityDoubtful(vehicles, kinds, points)
  return {
    warning: isDoubtful
      ? site.capacityDoubt(
          facts.capacity(vehicles),
          points === plugs ? facts.connectors(plugs) : site.chargePoints(points),
        )
      : undefined,
    /** Called when the owner has entered a number. */
    setByOwner: () => setFollows(false),
  }
}
