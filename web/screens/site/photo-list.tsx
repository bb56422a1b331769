import {
  ArrowLeft,
  ArrowRight,
  CircleCheck,
  RotateCw,
  Star,
  Trash2,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'

import { PHOTO_CATEGORIES, type PhotoCategory } from '#domain/site.ts'
import { fieldErrorText, useMessages, useNumberFormat } from '../../messages/messages.ts'
import type { Messages } from '../../messages/messages.ts'
import type { Problem } from '../../data/state.ts'
import { Button } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Select } from '../../ui/select.tsx'
import { thumbnail } from '../../photos/thumbnail.ts'
import { usePhotoPhase, type PhotoProgress } from './photo-progress.ts'
import {
  coverOf,
  moveBy,
  moveFirst,
  moveTo,
  setCategory,
  setRemoved,
  type ChangePhotos,
  type PhotoItem,
} from './photos.ts'

interface Props {
  readonly items: readonly PhotoItem[]
  readonly onChange: ChangePhotos
  readonly progress: PhotoProgress
  /** Announces a message to screen readers. */
  readonly announce: (news: string) => void
}

/** The photos in order, each with its actions. */
export const PhotoList = ({ items, onChange, progress, announce }: Props) => {
  const messages = useMessages()
  const text = messages.photos
  const list = useRef<HTMLDivElement>(null)
  const canDrag = useDragList(items.length > 1, list)
  const [isDrawn, setDrawn] = useState(false)
  const cover = coverOf(items)

  /** Moves a photo and keeps the focus on its button; the cover has no button that makes it the cover. */
  const move = (change: (all: readonly PhotoItem[]) => readonly PhotoItem[], item: PhotoItem) => {
    const button = document.activeElement
    const tile = button?.closest('.photo-tile')
    const next = change(items)
    onChange(() => next)
    const place = next.findIndex(({ key }) => key === item.key) + 1
    announce(text.moved(labelOf(messages, item, items.indexOf(item) + 1), place, next.length))
    requestAnimationFrame(() => {
      const target = button?.isConnected
        ? button
        : tile?.querySelector('.photo-moves > :last-child')
      if (target instanceof HTMLElement && document.activeElement !== target) target.focus()
    })
  }

  const tile = (item: PhotoItem, handle?: ReactNode) => {
    const position = items.indexOf(item) + 1
    return (
      <PhotoTile
        item={item}
        label={labelOf(messages, item, position)}
        isCover={item.key === cover}
        isFirst={position === 1}
        isLast={position === items.length}
        progress={progress}
        handle={handle}
        onCategorise={(category) => onChange((current) => setCategory(current, item.key, category))}
        onRemove={(removed) => onChange((current) => setRemoved(current, item.key, removed))}
        onStep={(step) => move((all) => moveBy(all, item.key, step), item)}
        onCover={() => move((all) => moveFirst(all, item.key), item)}
      />
    )
  }
  if (items.length === 0) return null
  const plain = (
    <ul className="photo-grid" aria-labelledby="photos-title">
      {items.map((item) => (
        <li key={item.key}>{tile(item)}</li>
      ))}
    </ul>
  )
  return (
    <div ref={list}>
      {!(canDrag && isDrawn) && plain}
      {canDrag && (
        <div hidden={!isDrawn}>
          <Suspense>
            <DragList
              items={items}
              label={messages.fields.sites.photos}
              labelOf={(item) => labelOf(messages, item, items.indexOf(item) + 1)}
              onMove={(keys, target) => onChange((current) => moveTo(current, keys, target))}
              onDrawn={setDrawn}
              tile={tile}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** The label of a photo: its position, or the file name of a new one. */
const labelOf = ({ photos: text }: Messages, item: PhotoItem, position: number): string => {
  if (item.kind === 'stored') return text.photo(position)
  return text.newPhoto(item.kind === 'new' ? item.file.name : item.name)
}

const loadDragList = async () => ({
  default: (await import('./photo-drag-list.tsx')).PhotoDragList,
})
const DragList = lazy(loadDragList)

/** Loads the sortable list once there is something to sort. Does not replace the plain list while it has the focus. */
const useDragList = (wanted: boolean, list: { readonly current: HTMLElement | null }): boolean => {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!wanted) return
    let isOver = false
    const take = (): void => {
      if (isOver) return
      // Replacing the list would blur a button in it.
      if (list.current?.contains(document.activeElement) === true) setTimeout(take, 500)
      else setReady(true)
    }
    // Without it, the buttons still sort; the next visit retries.
    loadDragList().then(take, () => {})
    return () => {
      isOver = true
    }
  }, [wanted, list])
  return isReady && wanted
}

interface TileProps {
  readonly item: PhotoItem
  readonly label: string
  readonly isCover: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly progress: PhotoProgress
  readonly handle: ReactNode
  readonly onCategorise: (category: PhotoCategory | '') => void
  readonly onRemove: (removed: boolean) => void
  readonly onStep: (step: -1 | 1) => void
  readonly onCover: () => void
}

const PhotoTile = ({
  item,
  label,
  isCover,
  isFirst,
  isLast,
  progress,
  handle,
  onCategorise,
  onRemove,
  onStep,
  onCover,
}: TileProps) => {
  const messages = useMessages()
  const text = messages.photos
  if (item.kind === 'busy') {
    return (
      <div className="photo-tile">
        <div className="photo-picture busy">
          <Spinner />
          <span>{text.preparing}</span>
        </div>
        {handle !== undefined && <div className="photo-moves">{handle}</div>}
      </div>
    )
  }
  const { removed } = item
  return (
    <div className={`photo-tile${removed ? ' removed' : ''}`}>
      <div className="photo-picture">
        <Picture item={item} label={label} />
        {isCover && <span className="photo-cover">{text.cover}</span>}
        {!isCover && !removed && (
          <IconButton
            icon={Star}
            label={text.makeCover(label)}
            className="photo-star"
            onClick={onCover}
          />
        )}
        <Button
          look={`photo-remove${removed ? '' : ' icon-only'}`}
          aria-label={removed ? text.undo(label) : text.remove(label)}
          onClick={() => onRemove(!removed)}
        >
          {removed ? (
            <>
              <Undo2 className="icon" />
              {messages.actions.undo}
            </>
          ) : (
            <Trash2 className="icon" />
          )}
        </Button>
        {removed && (
          <span className="photo-note">
            {item.kind === 'stored' ? text.willGo : text.willNotCome}
          </span>
        )}
      </div>
      <div className="photo-category">
        <Select
          aria-label={text.category(label)}
          value={item.category}
          disabled={removed}
          onChange={({ target }) => onCategorise(target.value as PhotoCategory | '')}
        >
          <option value="">{text.noCategory}</option>
          {PHOTO_CATEGORIES.map((category) => (
            <option key={category} value={category}>
              {messages.photoCategories[category]}
            </option>
          ))}
        </Select>
      </div>
      {item.kind === 'new' && !removed && (
        <Phase progress={progress} photo={item.file} label={label} />
      )}
      {!(isFirst && isLast) && (
        <div className="photo-moves">
          <IconButton
            icon={ArrowLeft}
            label={text.moveLeft(label)}
            disabled={isFirst}
            onClick={() => onStep(-1)}
          />
          {handle}
          <IconButton
            icon={ArrowRight}
            label={text.moveRight(label)}
            disabled={isLast}
            onClick={() => onStep(1)}
          />
        </div>
      )}
    </div>
  )
}

interface IconButtonProps {
  readonly icon: LucideIcon
  readonly label: string
  readonly className?: string
  /** Does nothing if pressed, but stays focusable. */
  readonly disabled?: boolean
  readonly onClick: () => void
}

const IconButton = ({
  icon: Icon,
  label,
  className = '',
  disabled = false,
  onClick,
}: IconButtonProps) => (
  <Button
    look={`quiet icon-only ${className}`}
    // Also its name. With the same `aria-label`, it would be read twice.
    title={label}
    aria-disabled={disabled}
    onClick={() => !disabled && onClick()}
  >
    <Icon className="icon" />
  </Button>
)

// Not draggable itself; its tile is.
const Picture = ({
  item,
  label,
}: {
  readonly item: Exclude<PhotoItem, { kind: 'busy' }>
  readonly label: string
}) =>
  item.kind === 'new' ? (
    <FilePicture file={item.file} label={label} />
  ) : (
    <img src={thumbnail(item.photo.src)} alt={label} draggable={false} />
  )

const FilePicture = ({ file, label }: { readonly file: File; readonly label: string }) => {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      image.src = url
      return () => {
        // Stops the load first, which would fail otherwise.
        image.removeAttribute('src')
        URL.revokeObjectURL(url)
      }
    },
    [file],
  )
  return <img ref={show} alt={label} draggable={false} />
}

interface PhaseProps {
  readonly progress: PhotoProgress
  readonly photo: File
  readonly label: string
}

/** The upload state of a photo, as text and as a progress bar. */
const Phase = ({ progress, photo, label }: PhaseProps) => {
  const messages = useMessages()
  const percent = useNumberFormat({ style: 'percent', maximumFractionDigits: 0 })
  const text = messages.photos
  const phase = usePhotoPhase(progress, photo)
  if (phase === undefined) return null
  if (phase.at === 'waiting') return <p className="photo-phase">{text.waiting}</p>
  if (phase.at === 'sending') {
    const { fraction } = phase
    return (
      <div className="photo-phase">
        <progress aria-label={label} max={1} value={fraction} />
        <span>{fraction < 1 ? text.uploading(percent(fraction)) : text.processing}</span>
      </div>
    )
  }
  if (phase.at === 'stored') {
    return (
      <p className="photo-phase done">
        <CircleCheck className="icon" />
        {text.done}
      </p>
    )
  }
  return (
    <div className="photo-phase">
      <FieldErrorText>
        {text.failed} {reasonOf(messages, phase.problem)}
      </FieldErrorText>
      {phase.problem.kind !== 'invalid' && (
        <Button type="submit" aria-label={text.retry(label)}>
          <RotateCw className="icon" />
          {messages.actions.retry}
        </Button>
      )}
    </div>
  )
}

const reasonOf = (messages: Messages, { kind, fields }: Problem): string => {
  const { photos } = fields
  return photos === undefined ? messages.problems[kind] : fieldErrorText(messages, 'photos', photos)
}
