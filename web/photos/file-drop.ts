import { useEffect, useEffectEvent, useState, type RefObject } from 'react'

const carriesFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true

/**
 * Accepts files dropped onto an element, and returns whether files are dragged over it. A file dropped outside is
 * ignored; otherwise the browser would open it instead of the page, and unsaved input would be lost.
 */
export const useFileDrop = (
  target: RefObject<HTMLElement | null>,
  onDrop: (files: readonly File[]) => void,
): boolean => {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onDrop)

  useEffect(() => {
    const isInside = ({ target: at }: DragEvent): boolean =>
      at instanceof Node && target.current?.contains(at) === true
    const stop = new AbortController()
    // In the capture phase, before a list inside, which handles only its own items.
    const options = { capture: true, signal: stop.signal }
    const listen = (type: 'dragenter' | 'dragover' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (!carriesFiles(event)) return
          event.preventDefault()
          event.stopPropagation()
          act(event)
        },
        options,
      )
    listen('dragenter', (event) => setOver(isInside(event)))
    listen('dragover', (event) => {
      if (event.dataTransfer !== null)
        event.dataTransfer.dropEffect = isInside(event) ? 'copy' : 'none'
    })
    listen('drop', (event) => {
      setOver(false)
      if (isInside(event)) take([...(event.dataTransfer?.files ?? [])])
    })
    // When the pointer leaves the window, no element is entered.
    addEventListener(
      'dragleave',
      (event) => event.relatedTarget === null && setOver(false),
      options,
    )
    return () => stop.abort()
  }, [target])

  return isOver
}

/** Accepts images that are pasted anywhere on the page. */
export const usePastedFiles = (onPaste: (files: readonly File[]) => void): void => {
  const take = useEffectEvent(onPaste)
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => {
      const { files, types } = event.clipboardData ?? { files: [], types: [] }
      const images = [...files].filter(({ type }) => type.startsWith('image/'))
      // Office programs copy a picture of the text along with the text, which is meant for a field.
      if (images.length === 0 || types.some((type) => type.startsWith('text/plain'))) return
      event.preventDefault()
      take(images)
    }
    addEventListener('paste', listen)
    return () => removeEventListener('paste', listen)
  }, [])
}
