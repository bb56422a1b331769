import { FileInput } from 'lucide-react'
import { Link } from 'react-router'

import { importOf } from '#domain/change.ts'
import { importPath } from '../../paths.ts'
import { GroupRow, type GroupProps } from './group-row.tsx'
import { actorName } from './describe-change.ts'

/** The changes of an import, or of its undo, in one row with a link to it. */
export const ImportRow = ({ count, ...group }: GroupProps) => {
  const { change, vocabulary } = group
  const { history: text } = vocabulary.messages
  const { id, isUndo } = importOf(change) ?? { id: '', isUndo: false }
  const describe = text[isUndo ? 'importUndone' : 'imported']
  const sentence = describe(actorName(vocabulary, change), text.changes(count))
  const action = (
    <Link className="button" to={importPath(id)} aria-label={text.showImportOf(sentence)}>
      {text.showImport}
    </Link>
  )
  const icon = <FileInput className="icon" />
  return <GroupRow {...group} {...{ icon, sentence, action }} summary={text.showChanges} />
}
