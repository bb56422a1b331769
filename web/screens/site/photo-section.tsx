import { ImagePlus, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'

import { SITE_LIMITS } from '#domain/site.ts'
import { useMessages } from '../../messages/messages.ts'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { prepareImage } from '../../ui/image.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { thumbnail } from '../../ui/thumbnail.ts'
import type { PhotoItem } from './photos.ts'

/** Longest side of a photo as it is sent: sharp on a large screen, a tenth of the camera's file. */
const SIDE = 2048

interface Props {
  readonly items: readonly PhotoItem[]
  readonly onChange: Dispatch<SetStateAction<readonly PhotoItem[]>>
  /** How many the site will have. */
  readonly kept: number
  /** What the server found wrong with them. */
  readonly problem: string | undefined
}

/** Shows, adds and removes photos. Nothing is sent or deleted before the form is saved. */
export const PhotoSection = ({ items, onChange, kept, problem }: Props) => {
  const messages = useMessages()
  const text = messages.site
  const [failures, setFailures] = useState<readonly string[]>([])
  const lastKey = useRef(0)
  const errors = problem === undefined ? failures : [problem, ...failures]
  const room = SITE_LIMITS.photos - kept

  const urls = useRef(new Set<string>())
  useEffect(() => {
    const made = urls.current
    return () => made.forEach((url) => URL.revokeObjectURL(url))
  }, [])

  const choose = async (files: readonly File[]) => {
    const taken = files.slice(0, Math.max(0, room))
    const problems = taken.length < files.length ? [text.tooManyPhotos(SITE_LIMITS.photos)] : []
    const jobs = taken.map((file) => ({ file, key: `new-${(lastKey.current += 1)}` }))
    setFailures(problems)
    onChange((current) => [
      ...current,
      ...jobs.map(({ file, key }): PhotoItem => ({ kind: 'busy', key, name: file.name })),
    ])
    await Promise.all(
      jobs.map(async ({ file, key }) => {
        const prepared = await prepareImage(file, { side: SIDE, kind: 'photo' })
        if ('file' in prepared) {
          const url = URL.createObjectURL(prepared.file)
          urls.current.add(url)
          const item: PhotoItem = { kind: 'new', key, file: prepared.file, url }
          onChange((current) => current.map((each) => (each.key === key ? item : each)))
        } else {
          onChange((current) => current.filter((each) => each.key !== key))
          const failure =
            prepared.failure === 'heic'
              ? text.photoHeic(file.name)
              : text.photoUnreadable(file.name)
          setFailures((current) => [...current, failure])
        }
      }),
    )
  }

  const remove = (key: string) =>
    onChange((current) =>
      current.flatMap((item) => {
        if (item.key !== key) return [item]
        return item.kind === 'stored' ? [{ ...item, removed: true }] : []
      }),
    )
  const keep = (key: string) =>
    onChange((current) =>
      current.map((item) =>
        item.key === key && item.kind === 'stored' ? { ...item, removed: false } : item,
      ),
    )

  return (
    <section className="card form-section" aria-labelledby="photos-title">
      <h2 id="photos-title">
        {text.photosTitle}{' '}
        <span className="muted">{text.photoCount(kept, SITE_LIMITS.photos)}</span>
      </h2>
      <p className="muted" id="photos-hint">
        {text.photosHint}
      </p>
      {items.length > 0 && (
        <ul className="photo-grid">
          {items.map((item, index) => (
            <li key={item.key}>
              <PhotoTile
                item={item}
                position={index + 1}
                onRemove={() => remove(item.key)}
                onKeep={() => keep(item.key)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="field-actions">
        <FileButton
          multiple
          id="field-photos"
          disabled={room <= 0}
          invalid={errors.length > 0}
          describedBy={errors.length > 0 ? 'photos-hint photos-errors' : 'photos-hint'}
          onChoose={(files) => void choose(files)}
        >
          <ImagePlus className="icon" aria-hidden="true" />
          {text.addPhotos}
        </FileButton>
      </div>
      <output id="photos-errors">
        {errors.map((error) => (
          <FieldErrorText key={error}>{error}</FieldErrorText>
        ))}
      </output>
    </section>
  )
}

interface TileProps {
  readonly item: PhotoItem
  readonly position: number
  readonly onRemove: () => void
  readonly onKeep: () => void
}

const PhotoTile = ({ item, position, onRemove, onKeep }: TileProps) => {
  const messages = useMessages()
  const text = messages.site
  if (item.kind === 'busy') {
    return (
      <div className="photo-tile busy">
        <Spinner />
        <span>{text.preparing}</span>
      </div>
    )
  }
  const removed = item.kind === 'stored' && item.removed
  const label = item.kind === 'new' ? text.newPhoto(item.file.name) : text.photo(position)
  return (
    <div className={`photo-tile${removed ? ' removed' : ''}`}>
      <img src={item.kind === 'new' ? item.url : thumbnail(item.photo.src)} alt={label} />
      {removed && <span className="photo-note">{text.photoWillGo}</span>}
      <button
        type="button"
        className="button icon-only"
        aria-label={removed ? text.keepPhoto(label) : text.removePhoto(label)}
        onClick={removed ? onKeep : onRemove}
      >
        {removed ? (
          <Undo2 className="icon" aria-hidden="true" />
        ) : (
          <Trash2 className="icon" aria-hidden="true" />
        )}
      </button>
    </div>
  )
}
