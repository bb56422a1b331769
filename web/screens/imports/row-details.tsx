import { Link } from 'react-router'

import { changesOfRun, type ImportRowPatch } from '#domain/import.ts'
import type { Answers } from '#domain/repair.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import type { Imports, ImportRowView, ImportView } from '../../data/state.ts'
import { formatDistance } from '../../format/metres.ts'
import { useLanguage } from '../../messages/messages.ts'
import { editSitePath } from '../../paths.ts'
import { useSettings } from '../../settings.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { Candidates } from './candidates.tsx'
import { NewStation } from './new-station.tsx'
import { Questions } from './questions.tsx'
import { useVocabulary } from './use-vocabulary.ts'
import { ValueChanges } from './value-changes.tsx'
import {
  isBlockedByQuestion,
  describeChanges,
  describeFindings,
  describeProblem,
  describeRule,
} from './describe.ts'

interface Props {
  readonly row: ImportRowView
  readonly item: ImportView
  readonly calls: Imports
  /** Undefined once the plan can no longer be changed. */
  readonly onChange: ((patch: ImportRowPatch) => Promise<void>) | undefined
  readonly onAnswerAll: ((answers: Answers) => void) | undefined
}

/** The planned changes of a site by field, and the decisions of the user. */
export const RowDetails = ({ row, item, calls, onChange, onAnswerAll }: Props) => {
  const vocabulary = useVocabulary()
  const { messages, locale, data } = vocabulary
  const text = messages.imports
  const changes = changesOfRun(row, item)
  const own = data?.sites.find(({ id }) => id === row.site)
  return (
    <div className="row-details">
      {row.problem !== null && !isBlockedByQuestion(row) && (
        <p className="row-problem">{describeProblem(messages, row.problem, locale)}</p>
      )}
      {row.candidates !== null && row.candidates.length > 0 && (
        <Candidates row={row} onChange={onChange} />
      )}
      {row.questions !== null && row.questions.length > 0 && (
        <Questions row={row} onChange={onChange} onAnswerAll={onAnswerAll} />
      )}
      {changes.length > 0 && (
        <section>
          <h4>{text.changesTitle}</h4>
          <ValueChanges lines={describeChanges(vocabulary, row, changes)} />
        </section>
      )}
      {row.action === 'NEW' && <NewStation row={row} calls={calls} />}
      {row.repairs !== null && row.repairs.length > 0 && <Repairs repairs={row.repairs} />}
      {row.duplicates !== null && row.duplicates.length > 0 && (
        <Duplicates duplicates={row.duplicates} />
      )}
      {own !== undefined && (
        <p className="muted">
          {row.matched_by !== '' && `${text.matched[row.matched_by]}. `}
          <Link to={editSitePath(own.id)}>{text.toSite(plainText(own.name))}</Link>
        </p>
      )}
    </div>
  )
}

const Repairs = ({ repairs }: { readonly repairs: NonNullable<ImportRowView['repairs']> }) => {
  const vocabulary = useVocabulary()
  const { messages } = vocabulary
  const byRule = [...Map.groupBy(repairs, ({ rule }) => rule)]
  return (
    <section>
      <h4>{messages.imports.repairsTitle}</h4>
      <ul className="repairs">
        {byRule.map(([rule, group]) => (
          <li key={rule}>
            <p>{describeRule(messages, rule)}</p>
            <ValueChanges lines={describeFindings(vocabulary, group)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Duplicates = ({
  duplicates,
}: {
  readonly duplicates: NonNullable<ImportRowView['duplicates']>
}) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const basePath = useSettings()['base-path']
  return (
    <section>
      <h4>{text.othersTitle}</h4>
      <ul className="others">
        {duplicates.map(({ id, name, business, distance_m }) => (
          <li key={id}>
            <a href={basePath + sitePage(id, slugOf(name))} target="_blank" rel="noopener">
              <UserText text={text.otherAt(name, business, formatDistance(distance_m, locale))} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
