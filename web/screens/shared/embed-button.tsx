import { Code } from 'lucide-react'
import { Suspense, useState } from 'react'

import { lazyComponent } from '../../browser/lazy-component.ts'
import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'

const EmbedDialog = lazyComponent(
  async () => (await import('./embed-dialog.tsx')).EmbedDialog,
  ['open'],
)

interface Props {
  readonly kind: 'site' | 'business'
  readonly id: string
  readonly name: string
}

/** Opens the embed code of a public site, or of all sites of a business. The messages of `open` must be loaded. */
export const EmbedButton = ({ kind, id, name }: Props) => {
  const { embed: text } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="link" onClick={() => setOpen(true)}>
        <Code className="icon" />
        {kind === 'site' ? text.button : text.buttonAll}
      </Button>
      <Suspense>
        {isOpen && <EmbedDialog kind={kind} id={id} name={name} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
