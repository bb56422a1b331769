import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { IMPORT_LIMITS } from '#domain/limits.ts'
import { useStore } from '../../data/react.ts'
import type { Imports, ImportView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText } from '../../ui/user-text.tsx'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { SlowLoad } from '../shared/slow-load.tsx'
import { ColumnMapping } from './column-mapping.tsx'
import { ImportsSkeleton } from './imports-skeleton.tsx'
import { Outcome } from './outcome.tsx'
import { Plan } from './plan.tsx'
import { Progress } from './progress.tsx'
import { useImport } from './use-import.ts'

interface Props {
  readonly id: string
  readonly calls: Imports
}

/** One import, from reading to completion. Its state is on the server, so this page may be closed at any time. */
export const OneImport = ({ id, calls }: Props) => {
  const messages = useMessages()
  const text = messages.imports
  const followed = useImport(calls, id)
  const { item, problem, refresh } = followed
  if (item === undefined) {
    if (problem === undefined)
      return (
        <>
          <SlowLoad onRetry={() => void refresh()} />
          <ImportsSkeleton />
        </>
      )
    return (
      <div className="card centre-card" role="alert">
        <CircleAlert className="art" strokeWidth={1.5} />
        <h2>{problem.kind === 'notFound' ? text.gone : text.notLoaded}</h2>
        <p className="muted">
          {problem.kind === 'notFound'
            ? text.goneText(IMPORT_LIMITS.keptDays)
            : messages.problems[problem.kind]}
        </p>
        {problem.kind !== 'notFound' && (
          <Button look="primary" onClick={() => void refresh()}>
            {messages.actions.retry}
          </Button>
        )}
        <Link className="button" to={PATHS.import}>
          {text.back}
        </Link>
      </div>
    )
  }
  return (
    <div className="imports stack">
      <Head item={item} calls={calls} />
      <Stage {...followed} item={item} calls={calls} />
    </div>
  )
}

type StageProps = Omit<ReturnType<typeof useImport>, 'item'> & {
  readonly item: ImportView
  readonly calls: Imports
}

const Stage = ({ item, problem, calls, take, refresh }: StageProps) => {
  const [isMapping, setMapping] = useState(false)
  const showMapping = (isShown: boolean) => {
    setMapping(isShown)
    document.getElementById(HEADING)?.focus()
  }
  switch (item.state) {
    case 'MAPPING':
      return <ColumnMapping item={item} calls={calls} onChanged={take} />
    case 'PLANNED':
      return isMapping ? (
        <ColumnMapping
          item={item}
          calls={calls}
          onChanged={(changed) => {
            setMapping(false)
            take(changed)
          }}
          onCancel={() => showMapping(false)}
        />
      ) : (
        <Plan
          item={item}
          calls={calls}
          onChanged={take}
          refresh={refresh}
          onMap={() => showMapping(true)}
        />
      )
    case 'DONE':
    case 'UNDONE':
    case 'FAILED':
      return <Outcome item={item} calls={calls} onChanged={take} />
    case 'READING':
    case 'RUNNING':
    case 'UNDOING':
      return <Progress item={item} isOutOfReach={problem !== undefined} />
  }
}

const HEADING = 'import-source'

/** The source of the import, and a button that discards it before anything is written. Gets the focus at each stage. */
const Head = ({ item, calls }: Pick<StageProps, 'item' | 'calls'>) => {
  const messages = useMessages()
  const text = messages.imports
  const store = useStore()
  const heading = useRef<HTMLHeadingElement>(null)
  const stage = useRef(item.state)
  const source = item.source === '' ? text.pasted : plainText(item.source)
  useEffect(() => {
    if (stage.current === item.state) return
    stage.current = item.state
    heading.current?.focus({ preventScroll: true })
    // Thousands of events may still be in flight.
    if (item.state === 'DONE' || item.state === 'UNDONE') void store.load()
  }, [store, item.state])
  return (
    <div className="imports-head">
      <h2 id={HEADING} ref={heading} tabIndex={-1}>
        {item.state === 'PLANNED' ? text.planTitle(source) : source}
        {item.state !== 'PLANNED' && (
          <span className="visually-hidden">
            {messages.about('', text.importStates[item.state])}
          </span>
        )}
      </h2>
      {(item.state === 'READING' || item.state === 'MAPPING' || item.state === 'PLANNED') && (
        <Discard item={item} calls={calls} />
      )}
    </div>
  )
}

const Discard = ({ item, calls }: Pick<StageProps, 'item' | 'calls'>) => {
  const messages = useMessages()
  const text = messages.imports
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isMounted = useIsMounted()
  const discard = async () => {
    setAsked(false)
    setBusy(true)
    const { problem } = await calls.remove(item.id)
    setBusy(false)
    if (problem !== undefined && problem.kind !== 'notFound') toast(messages.problems[problem.kind])
    else if (isMounted()) await navigate(PATHS.import)
  }
  return (
    <>
      <Button aria-disabled={isBusy} onClick={() => setAsked(!isBusy)}>
        {isBusy && <Spinner />}
        {text.discard}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={text.cancelTitle}
          cancel={messages.actions.cancel}
          onCancel={() => setAsked(false)}
          confirm={text.discard}
          onConfirm={() => void discard()}
          tone="danger"
        >
          {text.cancelText}
        </ConfirmDialog>
      )}
    </>
  )
}
