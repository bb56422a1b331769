import {
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useRef,
  useState,
  type ReactNode,
} from 'react'

import { lazyComponent } from '../../browser/lazy-component.ts'
import { trackSave } from '../../browser/saves-in-progress.ts'
import type {
  ConnectorInput,
  Draft,
  DraftSlot,
  Photo,
  PhotoCategories,
  PhotoWatch,
  SiteInput,
  SiteView,
} from '../../data/state.ts'
import { useStore } from '../../data/react.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { useLanguage, type Messages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { dashboardPath } from '../shared/dashboard-place.ts'
import type { Deleted } from '../shared/deleted-record.ts'
import { EditBar, EditForm } from '../shared/edit-form.tsx'
import { useEdit, useSubmit, type Edit } from '../shared/use-edit.ts'
import { describeConflicts, describeMerged } from './describe-conflicts.tsx'
import { ConnectorSection } from './connector-section.tsx'
import { ContactSection } from './contact-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { describeErrors } from './describe-errors.ts'
import { createPhotoProgress, usePhotoSum, type PhotoProgress } from './photo-progress.ts'
import { PhotoSection } from './photo-section.tsx'
import {
  categoriesOf,
  mergeStored,
  newFiles,
  orderToSave,
  removedNames,
  type ChangePhotos,
} from './photos.ts'
import { draftAsNew, SITE_SUBJECT, restoreSite, writeDraft, type SitePhotos } from './site-draft.ts'
import { rowErrors, type SiteFailure } from './failures.ts'
import './site-form.css'
import { readConnectors, readSite, type SiteText } from './site-values.ts'
import { isHidden, touchRow } from './use-field.ts'
import { putPosition } from './use-position.ts'
import { WhereSection } from './where-section.tsx'

/** The values of the form to save. */
export interface SiteSubmit {
  readonly site: Required<SiteInput>
  readonly connectors: readonly ConnectorInput[]
  readonly newPhotos: readonly File[]
  readonly removedPhotos: readonly string[]
  /** The order of all photos, stored ones by name, if it has to be saved separately. */
  readonly photoOrder: readonly (string | File)[] | undefined
  /** The categories of the photos that stay. */
  readonly photoCategories: PhotoCategories
  /** Shows the upload state of each new photo. */
  readonly watchPhoto: PhotoWatch
  /** True to add a similar site after the save. */
  readonly another: boolean
}

/** Saves a site, or queues it; `values` is the form as a draft. */
export type SaveSite = (
  submit: SiteSubmit,
  how: { readonly queue: boolean; readonly values: unknown },
) => Promise<SiteFailure | undefined>

interface Props {
  /** The id of the site; a new one has an id from the start. */
  readonly id: string
  readonly initial: SiteText
  readonly photos: readonly Photo[]
  readonly isNew: boolean
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  /** The site as changed by another device under the form. */
  readonly newer?: SiteView | undefined
  readonly save: SaveSite
  /** Shown above the sections: mainly whether the site is public. */
  readonly publication?: ReactNode
  /** True if the site was deleted on another device. */
  readonly isDeleted?: boolean
  readonly takesFocus?: boolean
  /** Opens another new site. */
  readonly onDiscard?: () => void
}

type SiteEdit = Edit<SiteText, SitePhotos, SiteView, SiteFailure>

// The sections read the form from its context, and do not rerender on changes of photos and drafts.
const Where = memo(WhereSection)
const Details = memo(DetailsSection)
const Connectors = memo(ConnectorSection)
const Contact = memo(ContactSection)
const Photos = memo(PhotoSection)
const More = lazyComponent(
  async () => memo((await import('./more-sections.tsx')).MoreSections),
  ['hours', 'choices'],
)

/** The form of a site, on one page. A failed save leaves it unchanged. */
export const SiteForm = (props: Props) => {
  const { initial, isNew, slot, draft, newer, isDeleted = false, onDiscard } = props
  const { messages, locale } = useLanguage()
  const store = useStore()
  const { newId } = store
  const [progress] = useState(createPhotoProgress)
  const start = () => restoreSite({ ...props, newId })
  const opened = { initial, start, isNew, slot, draft, newer, onDiscard }
  const edit: SiteEdit = useEdit({ subject: SITE_SUBJECT, ...opened })
  const { form, files, setFiles, failure, base } = edit
  const { wantAnother, failPhoto, ...sending } = useSending(edit, props, progress)
  // Renders the top first, because rendering everything in one pass takes long on a slow phone.
  const isWhole = useDeferredValue(true, false)
  const note = usePhotoNote(edit, progress)
  const setItems: ChangePhotos = useCallback(
    (next) => setFiles(({ items, stored }) => ({ items: next(items), stored })),
    [setFiles],
  )
  const { setValue } = form
  const takePosition = useCallback(
    (position: Coordinates) => putPosition(setValue, position, locale),
    [setValue, locale],
  )
  const words: Parameters<typeof EditForm>[0]['words'] = {
    problems: (errors) => {
      const { touchedFields } = form.formState
      const shown = errors.filter(({ path, type }) => !isHidden(touchedFields, path, type))
      return describeErrors(messages, shown, form.getValues('connectors'))
    },
    merged: (remote) => describeMerged(messages, remote),
    choices: (remote) => describeConflicts(messages, remote, form.getValues()),
  }
  return (
    <EditForm
      edit={edit}
      sending={sending}
      words={words}
      name={isNew ? undefined : base.name}
      isPartial={!isWhole}
      takesFocus={props.takesFocus}
    >
      {props.publication}
      <Where id={props.id} />
      {isWhole && (
        <>
          <Details storedStatus={initial.status} isNew={isNew} />
          <Connectors newId={newId} failures={failure?.rows} />
          <Photos
            items={files.items}
            onChange={setItems}
            progress={progress}
            newId={newId}
            problem={failure?.fields['photos']}
            onPosition={takePosition}
            onFailure={failPhoto}
          />
          <Contact />
          <Suspense>
            <More remote={edit.remote} />
          </Suspense>
          <EditBar
            edit={edit}
            sending={sending}
            label={isNew ? messages.site.add : messages.site.save}
            another={isNew ? { label: messages.site.addAnother, onPress: wantAnother } : undefined}
            note={note}
            leave={isNew ? { to: dashboardPath(store) } : undefined}
            deleted={isDeleted ? deletedSite(messages, files.stored.length) : undefined}
          />
        </>
      )}
    </EditForm>
  )
}

/** Sends the site with its connectors and photos, and shows the outcome of each. */
const useSending = (
  edit: SiteEdit,
  { save, slot, isDeleted = false }: Props,
  progress: PhotoProgress,
) => {
  const { form, files } = edit
  const wantsAnother = useRef(false)
  /** The name of a stored photo; null if unknown. */
  const nameOf = (photo: File) => {
    const phase = progress.phaseOf(photo)
    return phase?.at === 'stored' ? (phase.name ?? null) : undefined
  }
  const saveAs = (photos: SitePhotos, queue: boolean) => {
    const { items, stored } = photos
    const text = form.getValues()
    const submit: SiteSubmit = {
      site: readSite(text),
      connectors: readConnectors(text),
      newPhotos: newFiles(items),
      removedPhotos: removedNames(items),
      photoOrder: orderToSave(items, stored),
      photoCategories: categoriesOf(items),
      watchPhoto: progress.report,
      another: wantsAnother.current,
    }
    const values = writeDraft(edit.isNew ? null : edit.base, text, photos)
    const saving = () => save(submit, { queue, values })
    return queue ? saving() : trackSave({ form: slot.form, name: text.name.trim() }, saving)
  }
  const arrive = (photos: readonly Photo[], { items }: SitePhotos): SitePhotos => ({
    items: mergeStored(items, photos, nameOf),
    stored: photos,
  })
  const sending = useSubmit(edit, {
    mayQueue: true,
    isBlocked: isDeleted,
    isPreparing: files.items.some((item) => item.kind === 'busy'),
    save: async (queue, stuck) => {
      // Stored photos are not sent again.
      const left = stuck?.progress === undefined ? files : arrive(stuck.progress.photos, files)
      if (stuck === undefined) progress.clear()
      const problem = await saveAs(left, queue)
      if (problem?.stalled === false) wantsAnother.current = false
      return problem
    },
    onFailure: (problem) => {
      for (const [path, message] of rowErrors(form.getValues('connectors'), problem))
        form.setError(path, { type: 'server', message })
      if (problem.progress !== undefined) {
        const { photos } = problem.progress
        edit.setFiles((now) => arrive(photos, now))
      }
    },
    onInvalid: () => {
      wantsAnother.current = false
      form.getValues('connectors').forEach((_row, index) => touchRow(form, index))
    },
  })
  const wantAnother = () => {
    // A press that sends nothing is not remembered.
    wantsAnother.current = !isDeleted
  }
  const { setPending } = sending
  const failPhoto = useCallback(() => {
    // Otherwise the form would be sent without the photo, and closed with the reason for the failure.
    if (!setPending(false)) return
    wantsAnother.current = false
    document.getElementById('field-photos')?.focus()
  }, [setPending])
  return { ...sending, wantAnother, failPhoto }
}

/** The status of the photos while they are prepared and uploaded. */
const usePhotoNote = ({ files, form }: SiteEdit, progress: PhotoProgress): string | undefined => {
  const { photos } = useLanguage().messages
  const { done, total, percent } = usePhotoSum(progress)
  if (files.items.some((item) => item.kind === 'busy')) return photos.preparing
  if (!form.formState.isSubmitting || total === 0) return undefined
  return percent === undefined ? photos.progress(done, total) : photos.progressOfAll(percent)
}

const deletedSite = ({ site }: Messages, photos: number): Deleted => ({
  asNew: draftAsNew,
  list: PATHS.dashboard,
  title: site.deletedTitle,
  text: site.deletedText(photos),
  addAgain: site.addAgain,
})
