import { useEffect, useState } from 'react'

import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { SitePicture } from '../../ui/site-picture.tsx'
import { plainText } from '../../ui/user-text.tsx'

/** The first photo of a queued site, from the device. */
export const WaitingPicture = ({ site: { id, name } }: { readonly site: SiteView }) => {
  const store = useStore()
  const { dashboard: text } = useMessages()
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    let address: string | undefined
    let isOver = false
    void store
      .draft(`site:${id}`)
      .read()
      .then((draft) => {
        const [photo] = draft?.files ?? []
        if (photo === undefined || isOver) return
        address = URL.createObjectURL(photo)
        setSrc(address)
      })
    return () => {
      isOver = true
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [store, id])
  return src === undefined ? (
    <SitePicture />
  ) : (
    <img className="site-photo" src={src} alt={text.photoOf(plainText(name))} />
  )
}
