import { Plus, Undo2 } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form'

import {
  CONNECTOR_TRAITS,
  type CurrentType,
  type Format,
  type Standard,
} from '#domain/connector.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { Button } from '../../ui/button.tsx'
import { controlId } from '../../ui/form.ts'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { ConnectorRow, summaryId } from './connector-row.tsx'
import { rowSummary } from './describe-row.ts'
import {
  noteInsertion,
  noteRemoval,
  noteReturn,
  type RemovedRow,
  type RemovedRows,
} from './removed-rows.ts'
import type { RowFailure } from './failures.ts'
import {
  blankRow,
  copyRow,
  parseKw,
  resize,
  resizeDetails,
  type ConnectorRow as Row,
  type SiteText,
} from './site-values.ts'
import { shownError, touchRow } from './use-field.ts'

interface Preset {
  readonly standard: Standard
  readonly format: Format
  readonly current_type: CurrentType
  readonly kw: number
}

/** The most common connectors. */
const PRESETS: readonly Preset[] = [
  { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE', kw: 22 },
  { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_1_PHASE', kw: 7.4 },
  { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw: 50 },
  { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw: 150 },
  { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw: 50 },
]

const isSame = (row: Row, { standard, format, current_type, kw }: Preset): boolean =>
  row.standard === standard &&
  row.format === format &&
  row.current_type === current_type &&
  parseKw(row.kw_rating) === kw

const ChargePointList = lazyComponent(
  async () => (await import('./charge-point-list.tsx')).ChargePointList,
)

interface Props {
  readonly newId: () => string
  /** Records that failed to save. */
  readonly failures: ReadonlyMap<string, RowFailure> | undefined
}

/** The connectors of the site: one row per kind, which stands for any number of records. */
export const ConnectorSection = ({ newId, failures }: Props) => {
  const messages = useMessages()
  const text = messages.connectors
  const { rows, removed, ...actions } = useRows(newId, failures)
  const total = rows.reduce((sum, { row }) => sum + row.ids.length, 0)

  const takenAt = (at: number) =>
    removed
      .filter((each) => each.at === at)
      .map((each) => (
        <li key={undoId(each.row)} className="connector-removed">
          <RemovedLine row={each.row} onUndo={() => actions.restoreRow(each)} />
        </li>
      ))

  return (
    <section className="card form-section" aria-labelledby="connectors-title">
      <h2 id="connectors-title">
        {text.title} <span className="muted">({total})</span>
      </h2>
      <p className="muted">{text.hint}</p>
      <Presets onAdd={actions.add} onAddBlank={actions.addBlank} />
      <output className="visually-hidden">{messages.facts.connectors(total)}</output>
      {rows.length + removed.length === 0 ? (
        <p className="muted connectors-none">{text.none}</p>
      ) : (
        <ol className="connector-rows">
          {rows.flatMap(({ key, row, isOpen }, index) => [
            ...takenAt(index),
            // Not the key of the library, which a merge renews: what is typed would lose the focus.
            <li key={key}>
              <ConnectorRow
                index={index}
                row={row}
                isOpen={isOpen}
                failures={row.ids.flatMap((id) => failures?.get(id) ?? [])}
                onToggle={() => void actions.toggle(key, index)}
                onQuantity={(quantity) => actions.setQuantity(index, quantity)}
                onDuplicate={() => actions.duplicate(index)}
                onRemove={() => actions.removeRow(index)}
              />
            </li>,
          ])}
          {takenAt(rows.length)}
        </ol>
      )}
      <Suspense>
        <ChargePointList />
      </Suspense>
    </section>
  )
}

/** The rows of the form, their expanded state and their actions. */
const useRows = (newId: Props['newId'], failures: Props['failures']) => {
  const { locale } = useLanguage()
  const form = useFormContext<SiteText>()
  const { control, getValues, setValue, trigger } = form
  const formState = useFormState({ control, name: 'connectors' })
  const { fields, append, insert, remove } = useFieldArray({ control, name: 'connectors' })
  // Only to rerender on changes, because the watched value may be older than the rows.
  useWatch({ control, name: 'connectors' })
  const values = getValues('connectors')
  // The expanded rows: the current one, and those with errors.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [takenOut, setRemoved] = useState<RemovedRows>([])
  // Records dropped by a lower quantity, which a higher one restores.
  const spare = useRef(new Map<string, readonly string[]>())

  const rows = fields.map((field, index) => {
    const row = values[index] ?? field
    const key = keyOf(row)
    const isWrong =
      formState.errors.connectors?.[index]?.details !== undefined ||
      CONNECTOR_TRAITS.some(
        (name) => shownError(formState, `connectors.${index}.${name}`) !== undefined,
      )
    return { key, row, isWrong, isOpen: isWrong || open.has(key) }
  })
  const wrong = rows.filter(({ isWrong }) => isWrong).map(({ key }) => key)
  // A reset of the form or another device may have restored one.
  const present = new Set(rows.flatMap(({ row }) => row.ids))
  const removed = takenOut.filter(({ row }) => !row.ids.some((id) => present.has(id)))

  // Rows with errors are expanded, and stay so while they are corrected.
  if (wrong.some((key) => !open.has(key))) setOpen(new Set([...open, ...wrong]))

  const toggle = async (key: string, index: number) => {
    if (!open.has(key)) {
      setOpen(new Set([key, ...wrong]))
      return
    }
    // A row with errors stays expanded, and shows them.
    touchRow(form, index)
    if (!(await trigger(`connectors.${index}`))) return
    setOpen(new Set([...open].filter((each) => each !== key)))
    focus(summaryId(index))
  }

  const setQuantity = (index: number, quantity: number) => {
    const isFailed = (id: string): boolean => failures?.has(id) === true
    const row = getValues(`connectors.${index}`)
    const kept = spare.current.get(keyOf(row)) ?? []
    const next = resize(row.ids, quantity, { kept, isFailed, newId })
    spare.current.set(keyOf(next), next.kept)
    // The details first, so that no record is ever without them.
    setValue(`connectors.${index}.details`, resizeDetails(row, next), { shouldDirty: true })
    setValue(`connectors.${index}.ids`, next.ids, { shouldDirty: true })
  }

  const add = (preset: Preset) => {
    // For an equal row, raises the quantity instead.
    const same = getValues('connectors').findIndex((row) => isSame(row, preset))
    if (same !== -1) {
      setQuantity(same, getValues(`connectors.${same}.ids`).length + 1)
      return
    }
    // The focus stays on the button, because the next connector is often the same.
    const { kw, ...traits } = preset
    const kw_rating = formatDecimal(kw, locale)
    append({ ...blankRow(newId()), ...traits, kw_rating }, { shouldFocus: false })
  }
  const addBlank = () => {
    const row = blankRow(newId())
    append(row, { shouldFocus: false })
    setOpen(new Set([keyOf(row)]))
    focus(controlId(`connectors.${fields.length}.standard`))
  }
  const duplicate = (index: number) => {
    const row = getValues(`connectors.${index}`)
    const copy = copyRow(row, newId)
    insert(index + 1, copy, { shouldFocus: false })
    setRemoved(noteInsertion(removed, index + 1))
    // A copy is expanded for editing; for an equal one, users raise the quantity.
    setOpen(new Set([keyOf(copy)]))
    focus(controlId(`connectors.${index + 1}.kw_rating`))
  }
  const removeRow = (index: number) => {
    const row = getValues(`connectors.${index}`)
    remove(index)
    setRemoved(noteRemoval(removed, row, index))
    focus(undoId(row))
  }
  const restoreRow = (removedRow: RemovedRow) => {
    insert(removedRow.at, removedRow.row, { shouldFocus: false })
    setRemoved(noteReturn(removed, removedRow))
    focus(summaryId(removedRow.at))
  }
  return { rows, removed, toggle, setQuantity, add, addBlank, duplicate, removeRow, restoreRow }
}

interface PresetsProps {
  readonly onAdd: (preset: Preset) => void
  readonly onAddBlank: () => void
}

const Presets = ({ onAdd, onAddBlank }: PresetsProps) => {
  const { messages, locale } = useLanguage()
  const text = messages.connectors
  return (
    <fieldset className="chips" aria-label={text.addPreset}>
      {PRESETS.map((preset) => {
        const label = `${shortPlugName(messages, preset.standard)} · ${messages.facts.power(
          formatDecimal(preset.kw, locale),
        )}`
        return (
          <button
            key={label}
            type="button"
            className="chip"
            aria-label={text.presetLabel(label)}
            onClick={() => onAdd(preset)}
          >
            <PlugDrawing standard={preset.standard} />
            {label}
          </button>
        )
      })}
      <button type="button" className="chip" onClick={onAddBlank}>
        <Plus className="icon" />
        {text.otherPreset}
      </button>
    </fieldset>
  )
}

/** Focuses an element after the next render. */
const focus = (id: string): void => {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}

/** The key of a row: its first record, because a record is in one row only. */
const keyOf = ({ ids }: Pick<Row, 'ids'>): string => ids[0] ?? ''

const undoId = (row: Row): string => `undo-${keyOf(row)}`

interface RemovedProps {
  readonly row: Row
  readonly onUndo: () => void
}

/** Replaces a removed row until the form is saved. */
const RemovedLine = ({ row, onUndo }: RemovedProps) => {
  const { messages, locale } = useLanguage()
  const { name, power } = rowSummary(messages, locale, row)
  const what = `${name} ${power}`.trim()
  return (
    <>
      <span>{messages.connectors.removed(what)}</span>
      <Button
        look="link"
        id={undoId(row)}
        aria-label={messages.about(messages.actions.undo, messages.connectors.removed(what))}
        onClick={onUndo}
      >
        <Undo2 className="icon" />
        {messages.actions.undo}
      </Button>
    </>
  )
}
