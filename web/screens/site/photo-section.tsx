import { Camera, ImagePlus } from 'lucide-react'
import { useRef, useState } from 'react'

import { sites } from '#domain/site.ts'
import { useLanguage, useNumberFormat, type Messages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import type { Coordinates } from '../../map/coordinates.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { Button } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { useFileDrop, usePastedFiles } from '../../photos/file-drop.ts'
import { toast } from '../../ui/toast.ts'
import { PhotoList } from './photo-list.tsx'
import type { PhotoProgress } from './photo-progress.ts'
import { countKept, newItem, type ChangePhotos, type PhotoItem } from './photos.ts'

/** Maximum side of an uploaded photo: sharp on a large screen, at a tenth of the camera's file size. */
const SIDE = 2048

/**
 * Reads the position of a photo. The module loads with the first photo; if it fails, nothing is offered.
 */
const positionOf = (file: File) =>
  import('../../photos/photo-position.ts').then(
    ({ readPosition }) => readPosition(file),
    () => undefined,
  )

const { maxCount: MAX_PHOTOS, maxBytes: MAX_BYTES } = sites.fields.photos

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
  const { items, onChange, progress, newId, problem, onPosition, onFailure } = props
  const { messages } = useLanguage()
  const megabytes = useNumberFormat({ maximumFractionDigits: 0 })
  const text = messages.photos
  const [failures, setFailures] = useState<readonly string[]>([])
  const [offer, setOffer] = useState<Offer>()
  const [news, setNews] = useState('')
  const kept = countKept(items)
  const room = MAX_PHOTOS - kept
  const errors = problem === undefined ? failures : [problem, ...failures]
  const offered = items.some((item) => item.key === offer?.key && !isRemoved(item))

  const choose = async (files: readonly File[]) => {
    const taken = files.slice(0, Math.max(0, room))
    const jobs = taken.map((file) => ({ file, key: newId() }))
    setFailures(taken.length < files.length ? [text.tooMany(MAX_PHOTOS)] : [])
    onChange((current) => [
      ...current,
      ...jobs.map(({ file, key }): PhotoItem => ({ kind: 'busy', key, name: file.name })),
    ])
    setNews(text.preparing)
    let ready = kept
    await Promise.all(
      jobs.map(async ({ file, key }) => {
        const outcome = await prepare(file, messages, megabytes)
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

  const input = useRef<HTMLDivElement>(null)
  const settleOffer = (used: Offer | undefined) => {
    if (used !== undefined) {
      onPosition(used.position)
      toast(text.positionUsed)
    }
    setOffer(undefined)
    input.current?.querySelector('input')?.focus()
  }

  const section = useRef<HTMLElement>(null)
  const isOver = useFileDrop(section, (files) => void choose(files))
  usePastedFiles((files) => void choose(files))

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
          disabled={room <= 0}
          // A rejected file is not an error of the form.
          invalid={problem !== undefined}
          describedBy={errors.length > 0 ? 'photos-hint photos-errors' : 'photos-hint'}
          onChoose={(files) => void choose(files)}
        >
          <ImagePlus className="icon" />
          {text.choose}
        </FileButton>
        <FileButton camera disabled={room <= 0} onChoose={(files) => void choose(files)}>
          <Camera className="icon" />
          {text.take}
        </FileButton>
        <p className="hint drop-hint">{isOver ? text.dropHere : text.dropHint}</p>
      </div>
      {offer !== undefined && offered && (
        <PositionOffer offer={offer} onDecide={(used) => settleOffer(used ? offer : undefined)} />
      )}
      <output className="visually-hidden">{news}</output>
      <output id="photos-errors">
        {errors.map((error) => (
          <FieldErrorText key={error}>{error}</FieldErrorText>
        ))}
      </output>
    </section>
  )
}

/** Prepares a photo for upload. The module loads with the first photo. */
const prepare = async (
  file: File,
  messages: Messages,
  megabytes: (count: number) => string,
): Promise<{ file: File } | { failure: string }> => {
  const tools = await import('../../photos/image.ts').catch(() => undefined)
  if (tools === undefined) return { failure: messages.problems.unavailable }
  const prepared = await tools.prepareImage(file, { side: SIDE, kind: 'photo' })
  if ('failure' in prepared) {
    const { photoHeic, photoUnreadable } = messages.form
    return { failure: (prepared.failure === 'heic' ? photoHeic : photoUnreadable)(file.name) }
  }
  return prepared.file.size > MAX_BYTES
    ? { failure: messages.photos.tooLarge(file.name, megabytes(MAX_BYTES / 1024 ** 2)) }
    : prepared
}

const isRemoved = (item: PhotoItem): boolean => item.kind !== 'busy' && item.removed

interface PositionOfferProps {
  readonly offer: Offer
  readonly onDecide: (used: boolean) => void
}

const PositionOffer = ({ offer: { name, position }, onDecide }: PositionOfferProps) => {
  const { messages, locale } = useLanguage()
  const text = messages.photos
  const place = [position.latitude, position.longitude]
    .map((degrees) => formatDecimal(degrees, locale))
    .join(' / ')
  return (
    <Banner
      tone="info"
      title={text.position(name, place)}
      actions={
        <>
          <Button onClick={() => onDecide(true)}>{text.usePosition}</Button>
          <Button look="quiet" onClick={() => onDecide(false)}>
            {text.ignorePosition}
          </Button>
        </>
      }
    >
      <p>{text.positionPrivacy}</p>
    </Banner>
  )
}
