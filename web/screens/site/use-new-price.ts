import { useEffect, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'

import { readNewPrice } from '../shared/price-origin.ts'
import { summaryId } from './connector-row.tsx'
import { withDetails, type SiteText } from './site-values.ts'

/** Chooses the price that was added from this form. Returns the field of the site that has it now. */
export const useNewPrice = (): 'tariff' | undefined => {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const { getValues, setValue } = useFormContext<SiteText>()
  const [{ newPrice, rest }] = useState(() => readNewPrice(state))
  useEffect(() => {
    if (newPrice === undefined) return
    const { id: tariff, connectors } = newPrice
    const options = { shouldDirty: true }
    if (connectors.length === 0) setValue('tariff', tariff, options)
    getValues('connectors').forEach((row, index) => {
      const ids = connectors.filter((id) => row.ids.includes(id) || id in row.details)
      if (ids.length === 0) return
      const changes = Object.fromEntries(ids.map((id) => [id, { tariff }]))
      setValue(`connectors.${index}.details`, withDetails(row, changes), options)
      document.getElementById(summaryId(index))?.focus()
    })
    // A reload must not choose it again.
    void navigate(pathname + search, { replace: true, state: rest })
    // oxlint-disable-next-line react/exhaustive-deps -- only on mount
  }, [])
  return newPrice?.connectors.length === 0 ? 'tariff' : undefined
}
