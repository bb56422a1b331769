import { useEffect } from 'react'

import { useMessages } from '../../messages/messages.ts'
import { controlId, useFocusOnInvalid } from '../../ui/form.ts'
import { SiteField } from '../shared/site-field.tsx'
import type { SiteFieldName } from './site-values.ts'
import { useSiteField } from './use-field.ts'

interface Props {
  readonly names: readonly SiteFieldName[]
  /** True if the section contains an error. It then takes the focus, unless an earlier error has it. */
  readonly isWrong: boolean
  /** The field to focus. */
  readonly returnedTo: SiteFieldName | undefined
}

/** The controls of some fields of a site, in the order of their declaration. */
export const SectionFields = ({ names, isWrong, returnedTo }: Props) => {
  const field = useSiteField()
  const { publicHint } = useMessages().form
  const element = useFocusOnInvalid(isWrong)
  useEffect(() => {
    if (returnedTo !== undefined && names.includes(returnedTo))
      document.getElementById(controlId(returnedTo))?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- only on mount
  }, [])
  return (
    <div className="disclosure-fields" ref={element}>
      {names.map((name) => (
        <SiteField
          key={name}
          {...field(name)}
          name={name}
          {...(name === 'reference' && { hint: publicHint })}
        />
      ))}
    </div>
  )
}
