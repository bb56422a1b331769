import { Suspense, useState, type ClipboardEvent } from 'react'
import { useFormContext, useFormState } from 'react-hook-form'

import { CONNECTOR_IDS, connectors } from '#domain/connector.ts'
import type { Field } from '#domain/field.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { parseNumber } from '../../format/field-text.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { controlId, useFocusOnInvalid } from '../../ui/form.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  commonDetail,
  detailOf,
  detailPath,
  firstAlike,
  SHARED_DETAILS,
  withDetails,
  type ConnectorRow,
  type DetailName,
  type SiteText,
} from './site-values.ts'
import { shownError } from './use-field.ts'

const TariffSelect = lazyComponent(
  async () => (await import('../shared/tariff-field.tsx')).TariffSelect,
  ['tariffs'],
  LoadError,
)

const AddPriceLink = lazyComponent(
  async () => (await import('../shared/tariff-field.tsx')).AddPriceLink,
  ['tariffs'],
  LoadError,
)

interface Props {
  readonly index: number
  readonly row: ConnectorRow
  /** True if it contains an error. */
  readonly isWrong: boolean
}

/**
 * The details of a row: the shared ones once, the others per connector. A field whose values differ is shown per
 * connector, and stays so after they become equal.
 */
export const ConnectorDetails = ({ index, row, isWrong }: Props) => {
  const text = useMessages().connectors
  const element = useFocusOnInvalid(isWrong)
  const [apart, setApart] = useState<readonly DetailName[]>([])
  const differing = SHARED_DETAILS.filter((name) => commonDetail(row, name) === undefined)
  if (differing.some((name) => !apart.includes(name)))
    setApart([...new Set([...apart, ...differing])])
  const common = SHARED_DETAILS.filter((name) => !apart.includes(name))
  const own = [...SHARED_DETAILS.filter((name) => apart.includes(name)), ...CONNECTOR_IDS]
  const fields = (names: readonly DetailName[], ids: readonly string[]) =>
    names.map((name) => <DetailField key={name} {...{ index, row, ids, name }} />)
  return (
    <div className="disclosure-fields" ref={element}>
      {fields(common.filter(isReference), row.ids)}
      <div className="pair">
        {fields(
          common.filter((name) => !isReference(name)),
          row.ids,
        )}
      </div>
      {row.ids.length === 1 ? (
        <div className="pair">{fields(own, row.ids)}</div>
      ) : (
        <>
          <p className="muted">{text.pasteList}</p>
          {row.ids.map((id, at) => (
            <fieldset key={id} className="field">
              <legend>{text.numbered(at + 1)}</legend>
              <div className="pair">{fields(own, [id])}</div>
            </fieldset>
          ))}
        </>
      )}
    </div>
  )
}

const isReference = (name: DetailName): boolean => connectors.fields[name].kind === 'relation'

interface FieldProps extends Omit<Props, 'isWrong'> {
  readonly name: DetailName
  /** The connectors to edit: all of the row, or one. */
  readonly ids: readonly string[]
}

const DetailField = ({ index, row, name, ids }: FieldProps) => {
  const messages = useMessages()
  const { locale } = useLanguage()
  const { control, getValues, setValue, trigger } = useFormContext<SiteText>()
  const formState = useFormState({ control, name: 'connectors' })
  const [id = ''] = ids
  const field: Field = connectors.fields[name]
  const value = detailOf(row, id, name)
  const error = shownError(formState, detailPath(index, firstAlike(row, id, name), name))
  // Per field, because otherwise the form does not validate unregistered fields.
  const check = () => void trigger(row.ids.map((each) => detailPath(index, each, name)))
  const set = (texts: Readonly<Record<string, string>>) => {
    const changes = Object.entries(texts).map(([of, text]) => [of, { [name]: text }] as const)
    const details = withDetails(getValues(`connectors.${index}`), Object.fromEntries(changes))
    setValue(`connectors.${index}.details`, details, { shouldDirty: true })
    if (error !== undefined) check()
  }
  const isCommon = ids.length === row.ids.length && !CONNECTOR_IDS.some((each) => each === name)
  // Removed connectors may be restored, so they get the shared values too.
  const all = isCommon ? [...ids, ...Object.keys(row.details)] : ids
  const change = (text: string) => set(Object.fromEntries(all.map((each) => [each, text])))
  const leave = () => {
    const number = field.kind === 'number' ? parseNumber(field, value) : undefined
    if (number !== undefined) change(formatDecimal(number, locale))
    check()
  }
  /** A pasted list fills the connectors from this one on, one per line. */
  const paste = (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .trim()
      .split(/\s*\n\s*/)
    if (lines.length === 1 || isCommon) return
    event.preventDefault()
    const from = row.ids.indexOf(id)
    const filled = row.ids.slice(from, from + lines.length)
    set(Object.fromEntries(filled.map((each, at) => [each, lines[at] ?? ''])))
  }
  const props = {
    name,
    id: controlId(detailPath(index, id, name)),
    label: messages.fields.connectors[name],
    error,
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change(currentTarget.value),
    onBlur: leave,
  }
  if (field.kind === 'relation')
    return (
      <Suspense>
        <TariffSelect none={messages.connectors.sameAsSite} chosen={value} {...props} />
        <AddPriceLink connectors={all} />
      </Suspense>
    )
  const isNumber = field.kind === 'number'
  return (
    <TextField
      {...props}
      {...(isNumber && { inputMode: 'decimal', label: `${props.label} (${field.unit ?? ''})` })}
      {...(name === 'reference' && { hint: messages.form.publicHint })}
      optional={ids.length === row.ids.length}
      onPaste={paste}
    />
  )
}
