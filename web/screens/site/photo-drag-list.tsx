import { Grip } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'

import { useLanguage } from '../../messages/messages.ts'
import type { PhotoItem } from './photos.ts'

export interface DragListProps {
  readonly items: readonly PhotoItem[]
  readonly label: string
  readonly labelOf: (item: PhotoItem) => string
  readonly onMove: (
    keys: ReadonlySet<string>,
    target: { readonly key: string; readonly place: 'before' | 'after' },
  ) => void
  /** Called with true once the photos are rendered, and with false on unmount. */
  readonly onDrawn: (isDrawn: boolean) => void
  /** Renders the tile of a photo, with its drag handle. */
  readonly tile: (item: PhotoItem, handle: ReactNode) => ReactNode
}

/** The photos as a grid that can be sorted by mouse, touch and keyboard. */
export const PhotoDragList = ({ items, label, labelOf, onMove, onDrawn, tile }: DragListProps) => {
  const { locale } = useLanguage()
  useEffect(() => () => onDrawn(false), [onDrawn])
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'application/x-photo': String(key) })),
    onReorder: ({ keys, target }) =>
      onMove(new Set([...keys].map(String)), {
        key: String(target.key),
        place: target.dropPosition === 'before' ? 'before' : 'after',
      }),
  })
  return (
    <I18nProvider locale={locale}>
      <GridList
        className="photo-grid"
        aria-label={label}
        layout="grid"
        keyboardNavigationBehavior="tab"
        items={items.map((item) => ({ id: item.key, item }))}
        dependencies={[items, tile]}
        dragAndDropHooks={dragAndDropHooks}
      >
        {({ id, item }) => (
          <GridListItem id={id} className="photo-item" textValue={labelOf(item)}>
            <Drawn onDrawn={onDrawn} />
            {tile(
              item,
              <Button slot="drag" className="button quiet icon-only photo-handle">
                <Grip className="icon" />
              </Button>,
            )}
          </GridListItem>
        )}
      </GridList>
    </I18nProvider>
  )
}

/** Reports that its item is rendered. React Aria first renders a collection without items, for a frame or more. */
const Drawn = ({ onDrawn }: Pick<DragListProps, 'onDrawn'>) => {
  useEffect(() => onDrawn(true), [onDrawn])
  return null
}
