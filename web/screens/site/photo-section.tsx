import { Camera, ImagePlus } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'

import { sites } from '#domain/site.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { useLanguage } from '../../messages/messages.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { useFileDrop, usePastedFiles } from '../../photos/file-drop.ts'
import { toast } from '../../ui/toast.ts'
import { PhotoList } from './photo-list.tsx'
import type { PhotoProgress } from './photo-progress.ts'
import { countRemaining, newItem, type ChangePhotos, type PhotoItem } from './photos.ts'

const PositionOffer = lazyComponent(
  async () => (await import('./position-offer.tsx')).PositionOffer,
)

/**
 * Reads the position of a photo. The module loads with the first photo; if it fails, nothing is offered.
 */
const positionOf = (file: File) =>
  import('../../photos/photo-position.ts').then(
    ({ readPosition }) => readPosition(file),
    () => undefined,
  )

const { maxCount: MAX_PHOTOS } = sites.fields.photos

interface Props {
  readonly items: readonly PhotoItem[]
  readonly onChange: ChangePhotos
  readonly progress: PhotoProgress
  readonly newId: () => string
  /** The error of the server. */
  readonly problem: string | undefined
  /** Called if a photo could not be prepared. */
  readonly onFailure: () => void
  /** Called to move the pin to the position of a photo. */
  readonly onPosition: (position: Coordinates) => void
}

/** The position of a chosen photo. It stays on this page until the user accepts it. */
interface Offer {
  readonly key: string
  readonly name: string
  readonly position: Coordinates
}

/** Shows, adds, sorts and removes photos. Nothing is sent or deleted before the form is saved. */
export const PhotoSection = (props: Props) => {
  const { items, onChange, progress, problem, onPosition } = props
  const { messages } = useLanguage()
  const text = messages.photos
  const { failures, offer, setOffer, news, setNews, choose } = useChosenPhotos(props)
  const kept = countRemaining(items)
  const errors = problem === undefined ? failures : [problem, ...failures]
  const isOffered = items.some((item) => item.key === offer?.key && !isRemoved(item))

  const input = useRef<HTMLDivElement>(null)
  const settleOffer = (isUsed: boolean) => {
    if (isUsed && offer !== undefined) {
      onPosition(offer.position)
      toast(text.positionUsed)
    }
    setOffer(undefined)
    input.current?.querySelector('input')?.focus()
  }

  const section = useRef<HTMLElement>(null)
  const isOver = useFileDrop(section, (files) => void choose(files))
  usePastedFiles((files) => {
    // Not while the form is sent.
    if (section.current?.inert === false) void choose(files)
  })

  return (
    <section
      className={`card form-section photo-section${isOver ? ' drop-target' : ''}`}
      aria-labelledby="photos-title"
      ref={section}
    >
      <h2 id="photos-title">
        {messages.fields.sites.photos} <span className="muted">{text.count(kept, MAX_PHOTOS)}</span>
      </h2>
      <p className="muted" id="photos-hint">
        {text.hint}
      </p>
      <PhotoList items={items} onChange={onChange} progress={progress} announce={setNews} />
      <div className="field-actions" ref={input}>
        <FileButton
          multiple
          id="field-photos"
          disabled={kept >= MAX_PHOTOS}
          // A rejected file is not an error of the form.
          invalid={problem !== undefined}
          describedBy={errors.length > 0 ? 'photos-hint photos-errors' : 'photos-hint'}
          onChoose={(files) => void choose(files)}
        >
          <ImagePlus className="icon" />
          {text.choose}
        </FileButton>
        <FileButton camera disabled={kept >= MAX_PHOTOS} onChoose={(files) => void choose(files)}>
          <Camera className="icon" />
          {text.take}
        </FileButton>
        <p className="hint drop-hint">{isOver ? text.dropHere : text.dropHint}</p>
      </div>
      <Suspense>
        {offer !== undefined && isOffered && <PositionOffer {...offer} onDecide={settleOffer} />}
      </Suspense>
      <output className="visually-hidden">{news}</output>
      <output id="photos-errors">
        {errors.map((error) => (
          <FieldErrorText key={error}>{error}</FieldErrorText>
        ))}
      </output>
    </section>
  )
}

/** Prepares chosen photos and adds each to the form once it is ready. */
const useChosenPhotos = ({ items, onChange, newId, onFailure }: Props) => {
  const language = useLanguage()
  const { messages } = language
  const text = messages.photos
  const [failures, setFailures] = useState<readonly string[]>([])
  const [offer, setOffer] = useState<Offer>()
  const [news, setNews] = useState('')
  const choose = async (files: readonly File[]) => {
    const kept = countRemaining(items)
    const taken = files.slice(0, Math.max(0, MAX_PHOTOS - kept))
    const jobs = taken.map((file) => ({ file, key: newId() }))
    setFailures(taken.length < files.length ? [text.tooMany(MAX_PHOTOS)] : [])
    onChange((current) => [
      ...current,
      ...jobs.map(({ file, key }): PhotoItem => ({ kind: 'busy', key, name: file.name })),
    ])
    setNews(text.preparing)
    let ready = kept
    const tools = await import('./prepare-photo.ts').catch(() => undefined)
    await Promise.all(
      jobs.map(async ({ file, key }) => {
        const outcome = (await tools?.preparePhoto(file, language)) ?? {
          failure: messages.problems.unavailable,
        }
        if ('failure' in outcome) {
          onChange((current) => current.filter((each) => each.key !== key))
          setFailures((current) => [...current, outcome.failure])
          onFailure()
          return
        }
        ready += 1
        const item = newItem(key, outcome.file)
        onChange((current) => current.map((each) => (each.key === key ? item : each)))
        const position = await positionOf(file)
        if (position !== undefined)
          setOffer((current) => current ?? { key, name: file.name, position })
      }),
    )
    setNews(messages.about(messages.fields.sites.photos, text.count(ready, MAX_PHOTOS)))
  }
  return { failures, offer, setOffer, news, setNews, choose }
}

const isRemoved = (item: PhotoItem): boolean => item.kind !== 'busy' && item.removed
