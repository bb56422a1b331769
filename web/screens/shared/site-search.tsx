import { Search, X } from 'lucide-react'
import type { Ref } from 'react'

import { useMessages } from '../../messages/messages.ts'
import { IconButton } from '../../ui/button.tsx'
import './search-field.css'

interface Props {
  readonly query: string
  readonly onChange: (query: string) => void
  /** Called when the field loses the focus. */
  readonly onBlur?: () => void
  readonly onClear: () => void
  readonly ref?: Ref<HTMLInputElement>
}

/** The search box for sites. */
export const SiteSearch = ({ query, onChange, onBlur, onClear, ref }: Props) => {
  const { dashboard: text } = useMessages()
  return (
    <search className="search-field search">
      <Search className="icon" />
      <input
        ref={ref}
        type="search"
        className="input"
        autoComplete="off"
        aria-label={text.searchLabel}
        placeholder={text.searchPlaceholder}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      {query !== '' && (
        <IconButton look="quiet" icon={X} label={text.clearSearch} onClick={onClear} />
      )}
    </search>
  )
}
