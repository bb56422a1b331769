import { Plus } from 'lucide-react'
import { useRef, type ComponentProps } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

import { inputNames, type InputOf } from '#domain/record.ts'
import { findErrors } from '#domain/schema.ts'
import type { SaidTariff } from '#domain/tariff-sentence.ts'
import { TAX_INCLUDED, type TaxIncluded } from '#domain/tariff-element.ts'
import { tariffs } from '#domain/tariff.ts'
import { merge } from '../../data/merge.ts'
import type { Draft, DraftContent, DraftSlot, PlainView } from '../../data/state.ts'
import { choiceLabel } from '../../messages/fields.ts'
import { useLanguage, useMessages, type Messages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { controlId } from '../../ui/form.ts'
import { SelectField, TextField } from '../../ui/text-field.tsx'
import type { Deleted } from '../shared/deleted-record.ts'
import { EditBar, EditForm } from '../shared/edit-form.tsx'
import type { Failure } from '../shared/failure.ts'
import type { PriceOrigin } from '../shared/price-origin.ts'
import { choiceOf } from '../shared/remote-changes.ts'
import { useTariffSentence } from '../../traveller/use-tariff-sentence.ts'
import { useEdit, useSubmit, type Edit, type Start, type Subject } from '../shared/use-edit.ts'
import {
  blankPart,
  buildOf,
  limitText,
  readBuild,
  readLimit,
  type Build,
  type Part,
} from './builder.ts'
import { PartFields } from './part-fields.tsx'
import { TariffPreview } from './tariff-preview.tsx'
import './tariffs.css'
import { isUsed, type Uses } from './uses.ts'

export type TariffView = PlainView<'tariffs'>

const FIELDS = inputNames(tariffs)
type Name = (typeof FIELDS)[number]
/** The values of the form. `elements` is the JSON of a `Build`. */
export type TariffText = Record<Name, string>

/** Formats a tariff as the values of its form. */
export const tariffText = (tariff: TariffView, locale: string): TariffText => ({
  name: tariff.name,
  currency: tariff.currency,
  tax_included: tariff.tax_included,
  elements: JSON.stringify(buildOf(tariff.elements, tariff.currency, locale)),
  min_price: limitText(tariff.min_price, tariff.tax_included, locale),
  max_price: limitText(tariff.max_price, tariff.tax_included, locale),
  url: tariff.url,
})

/** A new tariff. */
export const blankTariff = (currency: string): TariffText => ({
  name: '',
  currency,
  tax_included: 'YES',
  elements: JSON.stringify({ isFree: false, vat: '', parts: [blankPart(0)] } satisfies Build),
  min_price: '',
  max_price: '',
  url: '',
})

const readText = (text: TariffText) => {
  const build = JSON.parse(text.elements) as Build
  const { elements, wrong } = readBuild(build)
  const taxes = text.tax_included as TaxIncluded
  return {
    build,
    wrong,
    input: {
      ...text,
      // Invalid and missing prices are both refused.
      elements: wrong.length > 0 ? 'wrong' : elements.length === 0 ? null : elements,
      min_price: readLimit(text.min_price, taxes, build.vat),
      max_price: readLimit(text.max_price, taxes, build.vat),
    },
  }
}

/** The tariff of the form for its description; undefined without a valid price. */
const saidOf = (text: TariffText): SaidTariff | undefined => {
  const { input } = readText(text)
  const { elements, min_price, max_price } = input
  if (typeof elements === 'string' || elements === null || !/^[A-Z]{3}$/.test(text.currency))
    return undefined
  const limit = (value: typeof min_price) =>
    typeof value === 'object' ? (value ?? undefined) : undefined
  return {
    currency: text.currency,
    tax_included: text.tax_included as TaxIncluded,
    elements,
    min_price: limit(min_price),
    max_price: limit(max_price),
  }
}

const SUBJECT: Subject<TariffText, undefined, TariffText> = {
  check: (text) => findErrors(tariffs, FIELDS, readText(text).input),
  names: FIELDS,
  versionOf: (fields) => ({ fields, rows: [] }),
  textOf: ({ fields }) => fields as TariffText,
  merge,
  readStored: (text) => ({ text, files: undefined, mergedFiles: 0 }),
  unchanged: () => undefined,
  count: (base, text) => changedFields(base, text).length,
  writeDraft: (base, text) => ({ values: { base, text } satisfies TariffDraft, files: [] }),
}

const changedFields = (base: TariffText, text: TariffText): readonly Name[] =>
  FIELDS.filter((name) => base[name].trim() !== text[name].trim())

/** Saves the tariff, or queues it; `values` is the form as a draft. */
export type SaveTariff = (
  input: Partial<InputOf<typeof tariffs>>,
  how: { readonly queue: boolean; readonly values: unknown },
) => Promise<Failure<TariffText> | undefined>

/** The content of a draft; `base` is null for a new tariff. */
interface TariffDraft {
  readonly base: TariffText | null
  readonly text: TariffText
}

interface Props {
  readonly initial: TariffText
  readonly isNew: boolean
  /** The uses of the tariff, which a change affects. */
  readonly uses: Uses | undefined
  /** The form that requested the price, to return to. */
  readonly from?: PriceOrigin | undefined
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  readonly save: SaveTariff
  readonly takesFocus?: boolean
  /** Continues with another new price. */
  readonly onDiscard?: () => void
  /** True if the tariff was deleted on another device. */
  readonly isDeleted?: boolean
}

type TariffEdit = Edit<TariffText, undefined, TariffText, Failure<TariffText>>

/** The form of a tariff, with its description. Passes only the changed fields to `save`. */
export const TariffForm = (props: Props) => {
  const { initial, isNew, uses, from, slot, draft, save, onDiscard, isDeleted = false } = props
  const messages = useMessages()
  const text = messages.tariffs
  const edit: TariffEdit = useEdit({
    subject: SUBJECT,
    initial,
    start: () => readDraft(draft, initial),
    isNew,
    slot,
    draft,
    newer: isNew ? undefined : initial,
    onDiscard,
  })
  const { form, base } = edit
  const sending = useSubmit(edit, {
    mayQueue: true,
    isBlocked: isDeleted,
    save: (queue) => {
      const now = form.getValues()
      const { input } = readText(now)
      const wanted = isNew ? FIELDS : changedFields(base, now)
      const { values } = SUBJECT.writeDraft(isNew ? null : base, now, undefined)
      return save(Object.fromEntries(wanted.map((name) => [name, input[name]])), { queue, values })
    },
  })
  const describeTariff = useTariffSentence()
  const describeBuild = (elements: unknown): string => {
    const said = saidOf({ ...form.getValues(), elements: String(elements) })
    return said === undefined ? '' : describeTariff(said)
  }
  const labelOf: Readonly<Record<string, string>> = messages.fields.tariffs
  const words: ComponentProps<typeof EditForm>['words'] = {
    problems: (errors) =>
      errors.map(({ path, type, message }) => ({
        path: path === 'elements' ? 'elements.0.energy' : path,
        type,
        message:
          path === 'elements'
            ? type === 'validation_required'
              ? text.needsPrice
              : text.checkPrices
            : messages.form.problemOf(labelOf[path] ?? path, message),
      })),
    merged: ({ mergedFields }) => mergedFields.map((name) => labelOf[name] ?? name),
    choices: ({ conflicts }) =>
      conflicts.map((each) => {
        const choice = choiceOf(each, labelOf)
        if (each.conflict.kind !== 'field' || each.conflict.name !== 'elements') return choice
        return {
          ...choice,
          mine: describeBuild(each.conflict.mine),
          theirs: describeBuild(each.conflict.theirs),
        }
      }),
  }
  return (
    <EditForm edit={edit} sending={sending} words={words} takesFocus={props.takesFocus}>
      <div className="tariff-columns">
        <div className="card form-section">
          <NameFields />
        </div>
        <Prices />
        <Preview />
        <div className="card form-section">
          <h2>{text.moreTitle}</h2>
          <MoreFields />
        </div>
      </div>
      <EditBar
        edit={edit}
        sending={sending}
        label={text.save}
        note={
          edit.countNow() > 0 && uses !== undefined && isUsed(uses)
            ? text.changes(uses.sites, uses.connectors)
            : undefined
        }
        leave={isNew ? { to: from?.path ?? PATHS.prices, state: from?.state } : undefined}
        deleted={isDeleted ? deletedTariff(text) : undefined}
      />
    </EditForm>
  )
}

const deletedTariff = (text: Messages['tariffs']): Deleted => ({
  asNew: draftAsNew,
  list: PATHS.prices,
  title: text.deletedTitle,
  text: text.deletedText,
  addAgain: text.addAgain,
})

const useField = () => {
  const messages = useMessages()
  const { formState, register } = useFormContext<TariffText>()
  return (name: Name) => ({
    ...register(name),
    id: controlId(name),
    label: messages.fields.tariffs[name],
    error: formState.errors[name]?.message,
  })
}

const NameFields = () => {
  const text = useMessages().tariffs
  const { locale } = useLanguage()
  const field = useField()
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return (
    <div className="pair">
      <TextField hint={text.nameHint} {...field('name')} />
      <SelectField {...field('currency')}>
        {Intl.supportedValuesOf('currency').map((code) => (
          <option key={code} value={code}>
            {`${code} – ${names.of(code) ?? code}`}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

const useBuild = () => {
  const { control, formState, setValue } = useFormContext<TariffText>()
  const [elements, currency] = useWatch({ control, name: ['elements', 'currency'] })
  const build = JSON.parse(elements) as Build
  return {
    build,
    currency,
    error: formState.errors.elements,
    change: (part: Partial<Build>) =>
      setValue('elements', JSON.stringify({ ...build, ...part }), {
        shouldDirty: true,
        shouldValidate: formState.isSubmitted,
      }),
  }
}

const Prices = () => {
  const messages = useMessages()
  const text = messages.tariffs
  const { build, currency, error, change } = useBuild()
  const { isFree, parts } = build
  const { wrong } = readBuild(build)
  const adding = useRef<HTMLButtonElement>(null)
  const setParts = (next: readonly Part[]) => change({ parts: next })
  const replace = (at: number, part: Part) =>
    setParts(parts.map((each, index) => (index === at ? part : each)))
  const add = () => {
    const key = Math.max(...parts.map((part) => part.key)) + 1
    // Before the last part, which is the default.
    setParts([...parts.slice(0, -1), blankPart(key), ...parts.slice(-1)])
    requestAnimationFrame(() =>
      document.getElementById(controlId(`elements.${key}.energy`))?.focus(),
    )
  }
  return (
    <div className="card form-section">
      <h2>{text.pricesTitle}</h2>
      <label className="choice">
        <input
          type="checkbox"
          checked={isFree}
          onChange={(event) => change({ isFree: event.target.checked })}
        />
        <span>{text.isFree}</span>
      </label>
      {!isFree && (
        <>
          {parts.length > 1 && <p className="hint">{text.firstCounts}</p>}
          {parts.map((part, index) => (
            <PartFields
              key={part.key}
              part={part}
              position={parts.length > 1 ? index + 1 : undefined}
              currency={currency}
              isWrong={(name) => wrong.some((each) => each.part === part.key && each.name === name)}
              onChange={(changed) => replace(index, { ...part, ...changed })}
              onMoveUp={
                index === 0
                  ? undefined
                  : () =>
                      setParts([
                        ...parts.slice(0, index - 1),
                        part,
                        ...parts.slice(index - 1, index),
                        ...parts.slice(index + 1),
                      ])
              }
              onRemove={() => {
                setParts(parts.filter((each) => each !== part))
                adding.current?.focus()
              }}
            />
          ))}
          {error !== undefined && (
            <FieldErrorText id="elements-error">
              {error.type === 'validation_required' ? text.needsPrice : text.checkPrices}
            </FieldErrorText>
          )}
          <Button ref={adding} onClick={add}>
            <Plus className="icon" />
            {text.addPart}
          </Button>
        </>
      )}
    </div>
  )
}

const MoreFields = () => {
  const messages = useMessages()
  const text = messages.tariffs
  const field = useField()
  const { build, change } = useBuild()
  const rates = new Set(
    build.parts.flatMap(({ source }) => source.price_components.map(({ vat }) => vat)),
  )
  const isWrong = readBuild(build).wrong.some(({ name }) => name === 'vat')
  return (
    <>
      <div className="pair">
        <TextField hint={text.limitHint} optional inputMode="decimal" {...field('min_price')} />
        <TextField hint={text.limitHint} optional inputMode="decimal" {...field('max_price')} />
        <SelectField {...field('tax_included')}>
          {TAX_INCLUDED.map((value) => (
            <option key={value} value={value}>
              {choiceLabel(messages, 'tax_included', value)}
            </option>
          ))}
        </SelectField>
        <TextField
          id={controlId('vat')}
          label={text.vat}
          optional
          inputMode="decimal"
          value={build.vat}
          {...(rates.size > 1 && build.vat === '' ? { hint: text.severalVats } : {})}
          error={isWrong ? text.wrongNumber : undefined}
          onChange={(event) => change({ vat: event.target.value })}
        />
      </div>
      <TextField type="url" inputMode="url" autoCapitalize="none" optional {...field('url')} />
    </>
  )
}

/** A separate component, so that a key press rerenders only the preview. */
const Preview = () => {
  const { control } = useFormContext<TariffText>()
  const text = useWatch({ control }) as TariffText
  return <TariffPreview tariff={saidOf(text)} />
}

const readDraft = (draft: Draft | undefined, stored: TariffText): Start<TariffText, undefined> => {
  const kept = draft?.values as Partial<TariffDraft> | null | undefined
  if (typeof kept?.text !== 'object') return { files: undefined }
  const { base = null, text } = kept
  return { files: undefined, typed: { base, text: { ...stored, ...text } } }
}

/** Converts a draft to that of a new tariff. */
export const draftAsNew = ({ values }: DraftContent): DraftContent => ({
  values: { ...(values as TariffDraft), base: null },
  files: [],
})
