import { FileUp } from 'lucide-react'
import { useRef, useState, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router'

import { IMPORT_LIMITS } from '#domain/limits.ts'
import { useOnline } from '../../browser/use-online.ts'
import type { Imports, ImportSource, Problem } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { importPath } from '../../paths.ts'
import { useFileDrop } from '../../photos/file-drop.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { Quarters } from './progress.tsx'

const WAYS = ['file', 'text', 'url'] as const
type Way = (typeof WAYS)[number]

/** Takes a file, a text or an address, and goes on to the plan as soon as the server has it. */
export const SourceForm = ({ calls }: { readonly calls: Imports }) => {
  const messages = useMessages()
  const text = messages.imports
  const [way, setWay] = useState<Way>('file')
  const sending = useSending(calls)
  return (
    <section className="card form-section" aria-labelledby="import-from">
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
      {way === 'file' && <FileSource sending={sending} />}
      {way === 'text' && <TextSource sending={sending} />}
      {way === 'url' && <UrlSource sending={sending} />}
      {sending.problem !== undefined && (
        <Banner tone="danger" title={text.notSent}>
          {messages.problems[sending.problem.kind]} {text.nothingLost}
        </Banner>
      )}
      <p className="muted">{text.formats}</p>
    </section>
  )
}

interface Sending {
  /** Which part was sent; undefined while nothing is on its way. */
  readonly fraction: number | undefined
  readonly problem: Problem | undefined
  readonly send: (source: ImportSource) => Promise<void>
}

const useSending = (calls: Imports): Sending => {
  const navigate = useNavigate()
  const online = useOnline()
  const isMounted = useIsMounted()
  const [fraction, setFraction] = useState<number>()
  const [problem, setProblem] = useState<Problem>()
  return {
    fraction,
    problem: problem?.kind === 'offline' && online ? { ...problem, kind: 'unavailable' } : problem,
    send: async (source) => {
      setProblem(undefined)
      setFraction(0)
      const answer = await calls.begin(source, setFraction)
      if (!isMounted()) return
      setFraction(undefined)
      if (answer.problem !== undefined) setProblem(answer.problem)
      else await navigate(importPath(answer.value.id))
    },
  }
}

interface SourceProps {
  readonly sending: Sending
}

const FileSource = ({ sending }: SourceProps) => {
  const text = useMessages().imports
  const megabytes = useNumberFormat({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
  const place = useRef<HTMLDivElement>(null)
  const [file, setFile] = useState<File>()
  const isTooLarge = file !== undefined && file.size > IMPORT_LIMITS.fileBytes
  const take = ([chosen]: readonly File[]) => {
    if (chosen === undefined || sending.fraction !== undefined) return
    setFile(chosen)
    if (chosen.size <= IMPORT_LIMITS.fileBytes) void sending.send({ file: chosen })
  }
  const isOver = useFileDrop(place, take)
  return (
    <div className={isOver ? 'import-drop over' : 'import-drop'} ref={place}>
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
            onChoose={take}
            invalid={isTooLarge}
            describedBy={isTooLarge ? 'import-too-large' : undefined}
          >
            {text.choose}
          </FileButton>
        </>
      ) : (
        <Sent fraction={sending.fraction} />
      )}
      <output>
        {isTooLarge && (
          <FieldErrorText id="import-too-large">
            {text.tooLarge(megabytes(IMPORT_LIMITS.fileBytes / 1_000_000))}
          </FieldErrorText>
        )}
      </output>
      {sending.problem !== undefined && file !== undefined && !isTooLarge && (
        <Again take={() => take([file])} />
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

const TextSource = ({ sending }: SourceProps) => {
  const text = useMessages().imports
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (typed.trim() === '') field.current?.focus()
    else if (sending.fraction === undefined) void sending.send({ text: typed })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <TextArea
        ref={field}
        label={text.text}
        hint={text.textHint}
        error={isTried && typed.trim() === '' ? text.textMissing : undefined}
        rows={8}
        spellCheck={false}
        value={typed}
        limit={IMPORT_LIMITS.textBytes}
        length={typed.length}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Begin sending={sending} />
    </form>
  )
}

const UrlSource = ({ sending }: SourceProps) => {
  const text = useMessages().imports
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
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
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={text.token}
        hint={text.tokenHint}
        optional
        type="password"
        autoComplete="off"
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <Begin sending={sending} />
    </form>
  )
}

const Begin = ({ sending }: SourceProps) => {
  const text = useMessages().imports
  const isBusy = sending.fraction !== undefined
  return (
    <Button type="submit" look="primary" aria-disabled={isBusy}>
      {isBusy && <Spinner />}
      {text.begin}
    </Button>
  )
}
