import { Search } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Input } from 'react-aria-components/Input'
import { Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { SearchField } from 'react-aria-components/SearchField'
import { Text } from 'react-aria-components/Text'

import { COMMON_STANDARDS_COUNT, STANDARDS, type Standard } from '#domain/connector.ts'
import { useLanguage } from '../../messages/messages.ts'
import { plugName } from '../../messages/plugs.ts'
import '../../ui/overlays.css'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { meansPlug } from './plug-search.ts'

interface Props {
  /** The button of the list, which gets the focus back. */
  readonly trigger: RefObject<HTMLButtonElement | null>
  readonly id: string
  /** The chosen standard, if any. */
  readonly chosen: Standard | undefined
  readonly onChange: (standard: Standard) => void
  readonly onClose: () => void
}

/** Names that are equal in every language. */
const EXAMPLES = 'Mennekes, J1772, Schuko…'

/** The open list of plugs, with a search box. */
export const PlugList = ({ trigger, id, chosen, onChange, onClose }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.connectors
  const byName = new Map(STANDARDS.map((standard) => [plugName(messages, standard), standard]))
  const means = (name: string, typed: string): boolean => {
    const standard = byName.get(name)
    return standard !== undefined && meansPlug(messages, standard, typed)
  }
  return (
    <I18nProvider locale={locale}>
      <Popover
        className="menu-popover plug-popover"
        placement="bottom start"
        triggerRef={trigger}
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose()
        }}
        aria-label={messages.fields.connectors.standard}
      >
        <div className="plug-panel" id={`${id}-list`}>
          <Autocomplete filter={means}>
            <SearchField className="plug-search" aria-label={text.search}>
              <Search className="icon" />
              <Input
                ref={focusAtOnce}
                className="input"
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/role-has-required-aria-props -- the list around it sets `aria-controls`
                role="combobox"
                aria-expanded
                placeholder={EXAMPLES}
                spellCheck={false}
              />
            </SearchField>
            <ListBox
              className="menu plug-options"
              aria-label={messages.fields.connectors.standard}
              selectionMode="single"
              selectedKeys={chosen === undefined ? [] : [chosen]}
              onSelectionChange={(keys) => {
                // Pressing the chosen plug keeps it.
                const [key] = keys === 'all' ? [] : keys
                const standard = STANDARDS.find((each) => each === key)
                if (standard !== undefined) onChange(standard)
                onClose()
              }}
              renderEmptyState={() => <p className="plug-none">{text.noMatch}</p>}
            >
              <PlugSection
                title={text.common}
                standards={STANDARDS.slice(0, COMMON_STANDARDS_COUNT)}
              />
              <PlugSection
                title={text.others}
                standards={STANDARDS.slice(COMMON_STANDARDS_COUNT)}
              />
            </ListBox>
          </Autocomplete>
        </div>
      </Popover>
    </I18nProvider>
  )
}

/** Instead of `autoFocus`, which is delayed after a key press, and then fails. */
const focusAtOnce = (input: HTMLInputElement | null): void => input?.focus({ preventScroll: true })

interface SectionProps {
  readonly title: string
  readonly standards: readonly Standard[]
}

const PlugSection = ({ title, standards }: SectionProps): ReactNode => {
  const { messages } = useLanguage()
  return (
    <ListBoxSection>
      <Header className="plug-section">{title}</Header>
      {standards.map((standard) => {
        const name = plugName(messages, standard)
        return (
          <ListBoxItem
            key={standard}
            id={standard}
            className="menu-item plug-option"
            textValue={name}
          >
            <PlugDrawing standard={standard} />
            <Text slot="label">
              {name} <span className="plug-code">{standard}</span>
            </Text>
          </ListBoxItem>
        )
      })}
    </ListBoxSection>
  )
}
