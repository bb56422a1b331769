import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, useForm, useWatch, type Control } from 'react-hook-form'

import { CONNECTOR_TRAITS } from '#domain/connector.ts'
import { keepMine, takeTheirs } from '../../data/merge.ts'
import type {
  ConnectorInput,
  Draft,
  DraftContent,
  DraftSlot,
  Photo,
  PhotoWatch,
  SiteInput,
  SiteView,
} from '../../data/state.ts'
import { useStore } from '../../data/react.ts'
import { useLanguage, type Messages } from '../../messages/messages.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import { formatDecimal } from '../../format/decimal.ts'
import { focusFirst, focusFirstError, formResolver, listErrors } from '../../ui/form.ts'
import '../../ui/form.css'
import { SaveBar } from '../../ui/save-bar.tsx'
import { toast } from '../../ui/toast.ts'
import { whileUnderWay } from '../../browser/saves-in-progress.ts'
import { ConflictBanner } from '../shared/conflict-banner.tsx'
import { dashboardPath } from '../shared/dashboard-place.ts'
import { DraftBanner } from '../shared/draft-banner.tsx'
import { draftNote } from '../shared/draft-note.ts'
import {
  elsewhereOf,
  focusChoice,
  isUndecided,
  joinElsewhere,
  keyOf,
  withChoice,
  type Elsewhere,
} from '../shared/remote-changes.ts'
import { useDraft } from '../shared/use-draft.ts'
import { useSaving } from '../shared/use-saving.ts'
import { wordConflicts, wordTaken } from './conflict-words.ts'
import { ConnectorSection } from './connector-section.tsx'
import { ContactSection } from './contact-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { wordErrors } from './error-words.ts'
import { createPhotoProgress, usePhotoSum, type PhotoSum } from './photo-progress.ts'
import { PhotoSection } from './photo-section.tsx'
import {
  afterPartialSave,
  isNewPhoto,
  newFiles,
  orderToSave,
  removedNames,
  storedItems,
  type PhotoItem,
} from './photos.ts'
import {
  countChanges,
  countPhotoChanges,
  mergeItems,
  mergeTexts,
  readDraft,
  restoreItems,
  textOf,
  versionOf,
  writeDraft,
} from './site-draft.ts'
import './site-form.css'
import {
  asNew,
  readConnectors,
  readSite,
  SITE_TEXT_FIELDS,
  siteFormSchema,
  siteText,
  toSchemaInput,
  type ConnectorRow,
  type SiteText,
} from './site-values.ts'
import { touchRow } from './use-field.ts'
import { WhereSection } from './where-section.tsx'

/** What the form hands over to be saved. */
export interface SiteSubmit {
  readonly site: Required<SiteInput>
  readonly connectors: readonly ConnectorInput[]
  readonly newPhotos: readonly File[]
  readonly removedPhotos: readonly string[]
  /** The order of all photos, stored ones by their names, when it has to be saved apart. */
  readonly photoOrder: readonly (string | File)[] | undefined
  /** Shows how far each new photo is. */
  readonly watchPhoto: PhotoWatch
  /** Once it is saved, another one like it is to be added. */
  readonly another: boolean
}

/** What a save that did not work tells the form. */
export interface SiteFailure {
  readonly title: string
  readonly text: string
  /** Sentences for single fields, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** Connectors that were not saved: a sentence for the row, and sentences for its fields. */
  readonly rows: ReadonlyMap<string, RowFailure>
  /** The photos that are stored by now, when a part of it was saved. */
  readonly progress?: { readonly photos: readonly Photo[] } | undefined
  /** Nothing got through: it is kept on the device instead. */
  readonly stalled: boolean
  /** The server was not reached: it may be kept on the device and sent later. */
  readonly mayKeep: boolean
  /** The site was changed elsewhere, to this: nothing was saved. */
  readonly newer?: SiteView
}

export interface RowFailure {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

/** Saves a site, or keeps it on the device to be sent later; `values` is the form as a draft. */
export type SaveSite = (
  submit: SiteSubmit,
  how: { readonly keep: boolean; readonly values: unknown },
) => Promise<SiteFailure | undefined>

interface Props {
  readonly initial: SiteText
  readonly photos: readonly Photo[]
  readonly isNew: boolean
  readonly newId: () => string
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  /** What another device has made of the site under the form. */
  readonly newer?: SiteView | undefined
  readonly save: SaveSite
  /** The site was deleted elsewhere: what stands in the form can become another one. */
  readonly deleted?: {
    readonly onAddAgain: (content: DraftContent) => Promise<boolean>
    readonly onDiscard: () => void
  }
  /** Opens another new site. */
  readonly onStartFresh?: () => void
}

/** What was thrown away and can be brought back, as long as nothing else is entered. */
interface Discarded {
  readonly text: SiteText
  readonly items: readonly PhotoItem[]
  /** The photos that stand there instead. */
  readonly blank: readonly PhotoItem[]
  readonly elsewhere: Elsewhere | undefined
}

// They follow the form by its context. What happens to photos and drafts is no matter of theirs.
const Where = memo(WhereSection)
const Details = memo(DetailsSection)
const Connectors = memo(ConnectorSection)
const Contact = memo(ContactSection)
const Photos = memo(PhotoSection)

/** All that an owner says about a site, on one page. A save that fails leaves it as it was. */
export const SiteForm = (props: Props) => {
  const { initial, photos, isNew, newId, slot, draft, newer, save } = props
  const { messages, locale } = useLanguage()
  const store = useStore()
  const saving = useSaving()
  const element = useRef<HTMLFormElement>(null)
  const [start] = useState(() => restore(props))
  const [isRestored, setRestored] = useState(start.isRestored)
  const [elsewhere, setElsewhere] = useState<Elsewhere | undefined>(start.elsewhere)
  // What the changes are counted from; it moves on when something is changed elsewhere.
  const [base, setBase] = useState(initial)
  const [items, setItems] = useState<readonly PhotoItem[]>(start.items)
  const [storedPhotos, setStoredPhotos] = useState(photos)
  const [progress] = useState(createPhotoProgress)
  const [failure, setFailure] = useState<SiteFailure>()
  const [discarded, setDiscarded] = useState<Discarded>()
  const wantsAnother = useRef(false)
  // First what is seen first: a slow telephone takes a while for all of it at once.
  const isWhole = useDeferredValue(true, false)
  const resolver = useMemo(
    () => formResolver<SiteText>({ schema: siteFormSchema, toInput: toSchemaInput, messages }),
    [messages],
  )
  const form = useForm<SiteText>({
    defaultValues: start.text,
    resolver,
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isSubmitting, isSubmitted, submitCount } = form.formState
  const sent = usePhotoSum(progress)
  const preparing = items.some((item) => item.kind === 'busy')

  const countNow = (): number => countChanges(base, form.getValues(), items, storedPhotos)
  const content = (now = items): DraftContent => ({
    values: writeDraft(isNew ? null : base, form.getValues(), now),
    files: newFiles(now),
  })
  const { kept, touch, touchNow, drop, finish } = useDraft({
    slot,
    isNew,
    restored: draft !== undefined && !draft.waits,
    content: () => (countNow() === 0 ? undefined : content()),
  })
  useEffect(() => {
    const callback = () => {
      setDiscarded(undefined)
      touch()
    }
    return form.subscribe({ formState: { values: true }, callback })
  }, [form, touch])
  useEffect(() => touchNow(), [items, touchNow])

  useEffect(() => {
    if (isSubmitted) void form.trigger()
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the language says anew what is wrong
  }, [messages])

  /** Puts what another device changed into the form; what both changed is left to be chosen. */
  const takeNewer = (site: SiteView) => {
    const theirs = siteText(site, locale)
    const merged = mergeTexts(base, form.getValues(), theirs)
    const text = textOf(merged.version)
    for (const name of merged.mergedFields as readonly (keyof SiteText)[]) {
      form.setValue(name, text[name], { shouldValidate: true })
    }
    if (merged.takenRows > 0) form.setValue('connectors', text.connectors)
    const takenPhotos = countPhotoChanges(storedPhotos, site.photos)
    const found = joinElsewhere(elsewhere, elsewhereOf(merged, takenPhotos))
    setBase(theirs)
    setItems(mergeItems(items, site.photos))
    setStoredPhotos(site.photos)
    setElsewhere(found)
    return found
  }

  useEffect(() => {
    if (newer !== undefined && !isSubmitting) takeNewer(newer)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each version
  }, [newer])

  const startFresh = () => {
    const blank = storedItems(storedPhotos)
    const before = { text: form.getValues(), items, blank, elsewhere }
    form.reset(base)
    setItems(blank)
    setFailure(undefined)
    setElsewhere(undefined)
    setRestored(false)
    drop()
    if (props.onStartFresh === undefined) setDiscarded(before)
    else props.onStartFresh()
  }

  const undoDiscard = ({ text, items: photosThen, elsewhere: told }: Discarded) => {
    form.reset(text, { keepDefaultValues: true })
    setItems(photosThen)
    setElsewhere(told)
    setDiscarded(undefined)
    focusFirst(element.current)
  }

  const choose = (key: string, chosen: 'mine' | 'theirs') => {
    if (elsewhere === undefined) return
    const words = wordConflicts(messages, elsewhere, form.getValues('connectors'))
    const { keys = [] } = words.find((each) => each.key === key) ?? {}
    const decide = chosen === 'mine' ? keepMine : takeTheirs
    const found = elsewhere.conflicts
      .map(({ conflict }) => conflict)
      .filter((conflict) => keys.includes(keyOf(conflict)))
    const text = textOf(found.reduce(decide, versionOf(form.getValues())))
    for (const conflict of found) {
      const name = conflict.kind === 'row' ? 'connectors' : (conflict.name as keyof SiteText)
      form.setValue(name, text[name], { shouldValidate: conflict.kind === 'field' })
    }
    setElsewhere(keys.reduce((all, each) => withChoice(all, each, chosen), elsewhere))
  }

  const showFailure = (problem: SiteFailure, rows: readonly ConnectorRow[]) => {
    for (const name of SITE_TEXT_FIELDS) {
      const message = problem.fields[name]
      if (message !== undefined) form.setError(name, { type: 'server', message })
    }
    for (const [index, { ids }] of rows.entries()) {
      for (const name of CONNECTOR_TRAITS) {
        const message = ids.map((id) => problem.rows.get(id)?.fields[name]).find(Boolean)
        if (message !== undefined) {
          form.setError(`connectors.${index}.${name}`, { type: 'server', message })
        }
      }
    }
    if (problem.progress !== undefined) {
      const { photos: stored } = problem.progress
      setItems((current) => afterPartialSave(current, stored, nameOf))
      setStoredPhotos(stored)
    }
    focusFirstError(element.current)
  }

  /** The name of a photo that is stored by now: null when it is not known. */
  const nameOf = (photo: File) => {
    const phase = progress.phaseOf(photo)
    return phase?.at === 'stored' ? (phase.name ?? null) : undefined
  }

  const submitOf = (now: readonly PhotoItem[], stored: readonly Photo[]): SiteSubmit => {
    const values = form.getValues()
    return {
      site: readSite(values),
      connectors: readConnectors(values),
      newPhotos: newFiles(now),
      removedPhotos: removedNames(now),
      photoOrder: orderToSave(now, stored),
      watchPhoto: progress.report,
      another: wantsAnother.current,
    }
  }

  const deletedFailure = props.deleted && {
    title: messages.site.deletedTitle,
    text: messages.site.deletedText(storedPhotos.length),
    instead: {
      label: messages.site.addAgain,
      act: () => {
        const values = writeDraft(null, asNew(form.getValues(), newId), items.filter(isNewPhoto))
        void props.deleted?.onAddAgain({ values, files: newFiles(items) }).then((isKept) => {
          if (isKept) finish()
          else toast(messages.drafts.notKept)
        })
      },
    },
  }
  const discardDeleted = () => {
    finish()
    props.deleted?.onDiscard()
  }

  /** What has arrived by now need not be sent again. */
  const keepInstead = ({ progress: arrived }: SiteFailure) => {
    const stored = arrived?.photos ?? storedPhotos
    const left = arrived === undefined ? items : afterPartialSave(items, stored, nameOf)
    return saveAs(left, stored, true)
  }
  const saveAs = (now: readonly PhotoItem[], stored: readonly Photo[], keep: boolean) =>
    save(submitOf(now, stored), { keep, values: content(now).values })

  const submit = form.handleSubmit(
    async () => {
      const keep = saving.takeKept()
      if (preparing || (!isNew && countNow() === 0 && failure === undefined)) return
      if (elsewhere !== undefined && isUndecided(elsewhere)) return focusChoice(element.current)
      progress.clear()
      // A page that goes away in the middle then knows that all of it was sent.
      touchNow()
      const saveNow = () => saveAs(items, storedPhotos, keep)
      const underWay = { form: slot.form, name: form.getValues('name').trim() }
      const problem = await (keep
        ? saveNow()
        : whileUnderWay(underWay, () => saving.send(saveNow, keepInstead)))
      if (problem === 'discarded') return startFresh()
      wantsAnother.current = false
      if (problem?.newer !== undefined) {
        const told = takeNewer(problem.newer)
        if (told !== undefined && isUndecided(told)) {
          setFailure(undefined)
          focusChoice(element.current)
          return
        }
      }
      setFailure(problem)
      if (problem === undefined) finish()
      else showFailure(problem, form.getValues('connectors'))
    },
    () => {
      saving.takeKept()
      wantsAnother.current = false
      form.getValues('connectors').forEach((_row, index) => touchRow(form, index))
      setFailure(undefined)
      focusFirstError(element.current)
    },
  )

  const { setValue } = form
  const takePosition = useCallback(
    ({ latitude, longitude }: Coordinates) => {
      const options = { shouldDirty: true, shouldValidate: true, shouldTouch: true }
      setValue('latitude', formatDecimal(latitude, locale), options)
      setValue('longitude', formatDecimal(longitude, locale), options)
    },
    [setValue, locale],
  )

  const problems = wordErrors(messages, listErrors(errors))
  return (
    <FormProvider {...form}>
      <form
        className="form"
        ref={element}
        noValidate
        aria-busy={isSubmitting}
        data-partial={isWhole ? undefined : ''}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSubmitting && props.deleted === undefined) void submit(event)
        }}
      >
        {failure === undefined && submitCount > 0 && problems.length > 0 && (
          <ErrorSummary errors={problems} />
        )}
        {isRestored && draft !== undefined && (
          <DraftBanner
            draft={draft}
            onContinue={() => {
              setRestored(false)
              focusFirst(element.current)
            }}
            onStartFresh={startFresh}
          />
        )}
        {!isNew && <p className="form-subject">{base.name}</p>}
        {elsewhere !== undefined && (
          <ConflictBanner
            at={elsewhere.at}
            taken={wordTaken(messages, elsewhere)}
            choices={wordConflicts(messages, elsewhere, form.getValues('connectors'))}
            onChoose={choose}
          />
        )}
        <Where />
        {isWhole && (
          <>
            <Details storedStatus={initial.status} isNew={isNew} />
            <Connectors newId={newId} failures={failure?.rows} />
            <Photos
              items={items}
              onChange={setItems}
              progress={progress}
              newId={newId}
              problem={failure?.fields['photos']}
              onPosition={takePosition}
            />
            <Contact />
            <CountingSaveBar
              control={form.control}
              count={(text) => countChanges(base, text, items, storedPhotos)}
              label={
                saving.isOffline
                  ? messages.drafts.sendLater
                  : isNew
                    ? messages.site.add
                    : messages.site.save
              }
              saving={isSubmitting}
              failure={
                deletedFailure ??
                (failure && {
                  ...failure,
                  onLater: failure.mayKeep ? saving.wantKept : undefined,
                })
              }
              standstill={saving.isStalled ? { onLater: () => saving.stop('keep') } : undefined}
              another={
                isNew && !saving.isOffline
                  ? {
                      label: messages.site.addAnother,
                      onPress: () => {
                        wantsAnother.current = true
                      },
                    }
                  : undefined
              }
              onUndo={
                discarded !== undefined && discarded.blank === items
                  ? () => undoDiscard(discarded)
                  : undefined
              }
              note={
                preparing
                  ? messages.photos.preparing
                  : isSubmitting && sent.total > 0
                    ? sumOfPhotos(messages, sent)
                    : draftNote(messages, locale, kept)
              }
              leave={
                isNew
                  ? { to: dashboardPath(store) }
                  : {
                      discard: () => {
                        if (props.deleted !== undefined) discardDeleted()
                        else if (isSubmitting) saving.stop('discard')
                        else startFresh()
                      },
                    }
              }
            />
          </>
        )}
      </form>
    </FormProvider>
  )
}

const sumOfPhotos = ({ photos }: Messages, { done, total, percent }: PhotoSum): string =>
  percent === undefined ? photos.progress(done, total) : photos.progressOfAll(percent)

type BarProps = Omit<Parameters<typeof SaveBar>[0], 'changes'> & {
  readonly control: Control<SiteText>
  readonly count: (text: SiteText) => number
}

/** The bar alone follows every key; the form does not have to. */
const CountingSaveBar = ({ control, count, ...bar }: BarProps) => (
  <SaveBar {...bar} changes={count(useWatch({ control }) as SiteText)} />
)

/** What the form starts with: what is stored, and what was kept of an earlier visit over it. */
const restore = ({ initial, photos, isNew, newId, draft }: Props) => {
  const kept = readDraft(draft, initial)
  if (kept === undefined || draft === undefined) {
    return { text: initial, items: storedItems(photos), elsewhere: undefined, isRestored: false }
  }
  const items = restoreItems(kept, draft.files, photos, newId)
  if (isNew) return { text: kept.text, items, elsewhere: undefined, isRestored: true }
  const merged = mergeTexts(kept.base ?? initial, kept.text, initial)
  return { text: textOf(merged.version), items, elsewhere: elsewhereOf(merged), isRestored: true }
}
