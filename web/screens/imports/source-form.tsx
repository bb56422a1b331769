import { FileUp } from 'lucide-react'
import { useRef, useState, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router'

import { IMPORTS } from '#domain/collection.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import { useStore } from '../../data/react.ts'
import type { Imports, ImportSource, Problem } from '../../data/state.ts'
import {
  useLanguage,
  useMessages,
  useNumberFormat,
  type Messages,
} from '../../messages/messages.ts'
import { importPath } from '../../paths.ts'
import { useFileDrop } from '../../photos/file-drop.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { draftNote } from '../shared/draft-note.ts'
import { useDraft } from '../shared/use-draft.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { Quarters } from './progress.tsx'

const WAYS = ['file', 'text', 'url'] as const
type Way = (typeof WAYS)[number]

/** Accepts a file, a text or a URL, and opens the plan as soon as the server has received it. */
export const SourceForm = ({ calls }: { readonly calls: Imports }) => {
  const messages = useMessages()
  const text = messages.imports
  const section = useRef<HTMLElement>(null)
  // Kept here: another way and back must not lose what was typed.
  const { typed, setTyped, finish, note } = useTyped()
  const [way, setWay] = useState<Way>(typed.text === '' ? 'file' : 'text')
  const [file, setFile] = useState<File>()
  const sending = useSending(calls, finish)
  const takeFile = ([chosen]: readonly File[]) => {
    if (chosen === undefined || sending.fraction !== undefined) return
    setWay('file')
    setFile(chosen)
    if (!isTooLarge(chosen)) void sending.send({ file: chosen })
  }
  const isOver = useFileDrop(section, takeFile)
  return (
    <section className="card form-section" aria-labelledby="import-from" ref={section}>
      <h2 id="import-from">{text.from}</h2>
      <fieldset className="chips" aria-labelledby="import-from">
        {WAYS.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={way === each}
            onClick={() => setWay(each)}
          >
            {text.ways[each]}
          </button>
        ))}
      </fieldset>
      {way === 'file' && (
        <FileSource sending={sending} file={file} onChoose={takeFile} isOver={isOver} />
      )}
      {way === 'text' && <TextSource sending={sending} typed={typed} onType={setTyped} />}
      {way === 'url' && <UrlSource sending={sending} typed={typed} onType={setTyped} />}
      {way === 'text' && note !== '' && <p className="muted">{note}</p>}
      {sending.problem !== undefined && (
        <Banner tone="danger" title={text.notSent}>
          {describeRefusal(messages, sending.problem)} {text.nothingLost}
        </Banner>
      )}
      <p className="muted">{text.formats}</p>
    </section>
  )
}

/** The limit of open imports is the only one of the field; its owner can do something about it. */
const describeRefusal = (messages: Messages, { kind, fields }: Problem): string => {
  const max = fields['file']?.params?.['threshold']
  return typeof max === 'number' ? messages.imports.tooManyOpen(max) : messages.problems[kind]
}

/** Longer texts would leave no room for the other drafts on the device. */
const MAX_DRAFT_LENGTH = 500_000

/** The pasted text is stored on the device until it has been sent. Addresses and tokens can be secret. */
const useTyped = () => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const [slot] = useState(() => store.draft(`${IMPORTS}:new`))
  const [restored] = useState(() => store.drafts().find(({ form }) => form === slot.form))
  const [typed, setTyped] = useState<Typed>(() => ({
    text: pastedIn(restored?.values),
    url: '',
    token: '',
  }))
  const pasted = typed.text.trim() === '' ? '' : typed.text
  const isTooLong = pasted.length > MAX_DRAFT_LENGTH
  const { saved, touch, finish } = useDraft({
    slot,
    isNew: true,
    restored: restored !== undefined,
    content: () =>
      pasted === '' || isTooLong
        ? undefined
        : { values: { text: { name: messages.imports.pasted, pasted } }, files: [] },
  })
  return {
    typed,
    setTyped: (now: Typed) => {
      setTyped(now)
      touch()
    },
    /** Removes the draft. */
    finish,
    note: isTooLong ? messages.drafts.notKept : draftNote(messages, locale, saved),
  }
}

const pastedIn = (values: unknown): string => {
  const { text } = (values ?? {}) as { text?: { pasted?: unknown } | null }
  return typeof text?.pasted === 'string' ? text.pasted : ''
}

interface Sending {
  /** The fraction that was sent; undefined while nothing is in flight. */
  readonly fraction: number | undefined
  readonly problem: Problem | undefined
  readonly send: (source: ImportSource) => Promise<void>
}

const useSending = (calls: Imports, onTextSent: () => void): Sending => {
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const [fraction, setFraction] = useState<number>()
  const [problem, setProblem] = useState<Problem>()
  return {
    fraction,
    problem,
    send: async (source) => {
      setProblem(undefined)
      setFraction(0)
      const answer = await calls.begin(source, setFraction)
      if (answer.problem === undefined && 'text' in source) onTextSent()
      if (!isMounted()) return
      setFraction(undefined)
      if (answer.problem !== undefined) setProblem(answer.problem)
      else await navigate(importPath(answer.value.id))
    },
  }
}

const isTooLarge = ({ size }: File): boolean => size > IMPORT_LIMITS.fileBytes

interface FileProps {
  readonly sending: Sending
  readonly file: File | undefined
  readonly onChoose: (files: readonly File[]) => void
  /** A file is dragged over the form. */
  readonly isOver: boolean
}

const FileSource = ({ sending, file, onChoose, isOver }: FileProps) => {
  const text = useMessages().imports
  const megabytes = useNumberFormat({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
  const isRefused = file !== undefined && isTooLarge(file)
  return (
    <div className={isOver ? 'import-drop over' : 'import-drop'}>
      <FileUp className="art" strokeWidth={1.5} />
      {file !== undefined && <p className="import-file">{file.name}</p>}
      {sending.fraction === undefined ? (
        <>
          <p className="muted import-drop-hint">
            {text.drop} {text.or}
          </p>
          <FileButton
            any
            primary
            onChoose={onChoose}
            invalid={isRefused}
            describedBy={isRefused ? 'import-too-large' : undefined}
          >
            {text.choose}
          </FileButton>
        </>
      ) : (
        <Sent fraction={sending.fraction} />
      )}
      <output>
        {isRefused && (
          <FieldErrorText id="import-too-large">
            {text.tooLarge(megabytes(IMPORT_LIMITS.fileBytes / 1_000_000))}
          </FieldErrorText>
        )}
      </output>
      {sending.problem !== undefined && file !== undefined && !isRefused && (
        <Again take={() => onChoose([file])} />
      )}
    </div>
  )
}

const Again = ({ take }: { readonly take: () => void }) => (
  <Button look="primary" onClick={take}>
    {useMessages().actions.retry}
  </Button>
)

const Sent = ({ fraction }: { readonly fraction: number }) => {
  const text = useMessages().imports
  const percent = useNumberFormat({ style: 'percent', maximumFractionDigits: 0 })
  return (
    <div className="import-progress">
      <progress value={fraction} max={1} aria-label={text.sending(percent(fraction))} />
      <p>{text.sending(percent(fraction))}</p>
      <Quarters fraction={fraction} />
    </div>
  )
}

interface Typed {
  readonly text: string
  readonly url: string
  readonly token: string
}

interface TypedProps {
  readonly sending: Sending
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
}

const TextSource = ({ sending, typed, onType }: TypedProps) => {
  const text = useMessages().imports
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isEmpty = typed.text.trim() === ''
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (isEmpty) field.current?.focus()
    else if (sending.fraction === undefined) void sending.send({ text: typed.text })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <TextArea
        ref={field}
        label={text.text}
        hint={text.textHint}
        error={isTried && isEmpty ? text.textMissing : undefined}
        rows={8}
        spellCheck={false}
        value={typed.text}
        limit={IMPORT_LIMITS.textBytes}
        length={typed.text.length}
        onChange={(event) => onType({ ...typed, text: event.target.value })}
      />
      <Begin sending={sending} />
    </form>
  )
}

const UrlSource = ({ sending, typed, onType }: TypedProps) => {
  const text = useMessages().imports
  const { url, token } = typed
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isAddress = /^https?:\/\/./i.test(url.trim())
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isAddress) field.current?.focus()
    else if (sending.fraction === undefined) void sending.send({ url: url.trim(), token })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <TextField
        ref={field}
        label={text.url}
        hint={text.urlHint}
        error={isTried && !isAddress ? text.urlMissing : undefined}
        type="url"
        inputMode="url"
        value={url}
        onChange={(event) => onType({ ...typed, url: event.target.value })}
      />
      <TextField
        label={text.token}
        hint={text.tokenHint}
        optional
        type="password"
        autoComplete="off"
        value={token}
        onChange={(event) => onType({ ...typed, token: event.target.value })}
      />
      <Begin sending={sending} />
    </form>
  )
}

const Begin = ({ sending }: Pick<TypedProps, 'sending'>) => {
  const text = useMessages().imports
  const isBusy = sending.fraction !== undefined
  return (
    <Button type="submit" look="primary" aria-disabled={isBusy}>
      {isBusy && <Spinner />}
      {text.begin}
    </Button>
  )
}
