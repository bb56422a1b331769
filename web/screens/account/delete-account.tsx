import { useRef, useState, type FormEvent, type ReactNode } from 'react'

import { useNotices, useStoreState } from '../../data/react.ts'
import { useMessages } from '../../messages/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface Props {
  readonly busy: boolean
  /** The error of the last attempt. */
  readonly failure: ReactNode
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

/** Asks for confirmation before an account is deleted: lists what will be deleted, and requires typed text. */
export const DeleteAccount = ({ busy, failure, onCancel, onConfirm }: Props) => {
  const messages = useMessages()
  const text = messages.accountCard
  const { data, user, loading } = useStoreState()
  const unknown = useNotices().some(({ action }) => action === 'load') || loading
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const wanted = user?.email || text.deleteWord

  const confirm = () => {
    if (busy) return
    const isRight = typed.trim().toLowerCase() === wanted.toLowerCase()
    setWrong(!isRight)
    if (isRight) onConfirm()
    else input.current?.focus()
  }

  const sites = data?.sites ?? []
  const owned = {
    business: data?.name ?? '',
    sites: sites.length,
    connectors: sites.reduce((sum, site) => sum + site.connectors.length, 0),
    photos: sites.reduce((sum, site) => sum + site.photos.length, 0),
  }

  const whatGoes =
    data !== null ? text.deleteText(owned) : unknown ? text.deleteUnknown : text.deleteNothing

  return (
    <ConfirmDialog
      title={text.deleteTitle}
      cancel={messages.actions.cancel}
      onCancel={() => {
        if (!busy) onCancel()
      }}
      confirm={
        <>
          {busy && <Spinner />}
          {text.deleteForGood}
        </>
      }
      onConfirm={confirm}
      tone="danger"
    >
      <form
        className="stack"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          confirm()
        }}
      >
        {failure}
        <p>{whatGoes}</p>
        <p>{text.deleteProvider}</p>
        <TextField
          ref={input}
          label={text.deleteType(wanted)}
          error={wrong ? text.deleteMistyped : undefined}
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(false)
          }}
        />
      </form>
    </ConfirmDialog>
  )
}
