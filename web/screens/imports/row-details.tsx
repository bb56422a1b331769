import { Link } from 'react-router'

import type { ImportRowPatch } from '#domain/import.ts'
import type { Answers, RuleName } from '#domain/repair.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { useStoreState } from '../../data/react.ts'
import type { Imports, ImportRowView } from '../../data/state.ts'
import { formatDistance } from '../../format/metres.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { editSitePath } from '../../paths.ts'
import { useSettings } from '../../settings.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { Candidates } from './candidates.tsx'
import { ChangeList } from './change-list.tsx'
import { Findings } from './findings.tsx'
import { NewStation } from './new-station.tsx'
import { Questions } from './questions.tsx'
import { isAsked, wordProblem } from './words.ts'

interface Props {
  readonly row: ImportRowView
  readonly calls: Imports
  /** Undefined once the plan can no longer be changed. */
  readonly onChange: ((patch: ImportRowPatch) => Promise<void>) | undefined
  readonly onAnswerAll: ((answers: Answers) => void) | undefined
}

/** What is planned for a site, field by field, and what a person can decide about it. */
export const RowDetails = ({ row, calls, onChange, onAnswerAll }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const own = useStoreState().data?.sites.find(({ id }) => id === row.site)
  return (
    <div className="row-details">
      {row.problem !== null && !isAsked(row) && (
        <p className="row-problem">{wordProblem(messages, row.problem, locale)}</p>
      )}
      {row.candidates !== null && row.candidates.length > 0 && (
        <Candidates row={row} onChange={onChange} />
      )}
      {row.questions !== null && row.questions.length > 0 && (
        <Questions row={row} onChange={onChange} onAnswerAll={onAnswerAll} />
      )}
      {row.changes !== null && row.changes.length > 0 && <ChangeList row={row} />}
      {row.action === 'NEW' && <NewStation rowId={row.id} calls={calls} />}
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
  const text = useMessages().imports
  const byRule = [...Map.groupBy(repairs, ({ rule }) => rule)]
  return (
    <section>
      <h3>{text.repairsTitle}</h3>
      <ul className="repairs">
        {byRule.map(([rule, group]) => (
          <li key={rule}>
            <p>{wordRule(text.rules, rule)}</p>
            <Findings findings={group} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A rule that came with a newer server has no sentence yet. */
const wordRule = (rules: Readonly<Record<RuleName, string>>, rule: RuleName): string =>
  rules[rule] ?? rule

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
      <h3>{text.othersTitle}</h3>
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
