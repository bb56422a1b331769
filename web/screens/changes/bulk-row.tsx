import { ListChecks, RotateCcw } from 'lucide-react'
import { useState } from 'react'

import { useStore } from '../../data/react.ts'
import type { Problem } from '../../data/state.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { GroupRow, type GroupProps } from './group-row.tsx'
import { revertBulkUpdate } from './send-revert.ts'
import { describeBulkUpdate } from './describe-change.ts'

/** A bulk update in one row, with a button that reverts all of it. */
export const BulkRow = ({ count, ...group }: GroupProps) => {
  const store = useStore()
  const { change, vocabulary } = group
  const { messages } = vocabulary
  const text = messages.history
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const sentence = describeBulkUpdate(vocabulary, change, count)

  const revert = async () => {
    setAsking(false)
    setBusy(true)
    const result = await revertBulkUpdate(store, change.correlation_id ?? '')
    setBusy(false)
    setProblem(typeof result === 'object' ? result : undefined)
    if (result === 0) toast(text.bulkNothing)
  }
  const action = (
    <Button
      aria-label={text.putBackOf(sentence)}
      aria-disabled={isBusy}
      onClick={() => !isBusy && setAsking(true)}
    >
      {isBusy ? <Spinner /> : <RotateCcw className="icon" />}
      {text.putBack}
    </Button>
  )
  const icon = <ListChecks className="icon" />
  return (
    <>
      <GroupRow {...group} {...{ icon, sentence, action, problem }} summary={text.showSites} />
      {isAsking && (
        <ConfirmDialog
          title={text.bulkTitle(count)}
          cancel={messages.actions.cancel}
          onCancel={() => setAsking(false)}
          confirm={text.putBack}
          onConfirm={() => void revert()}
        >
          {text.bulkText}
        </ConfirmDialog>
      )}
    </>
  )
}
