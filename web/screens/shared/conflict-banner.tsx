import { useEffect, useState, type ReactNode } from 'react'

import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { formatAgo } from '../../format/date-time.ts'

/** A conflict in words. */
export interface Choice {
  /** The conflicts that it resolves, by `keyOf`. Equal ones are one choice. */
  readonly keys: readonly string[]
  readonly label: string
  readonly mine: ReactNode
  readonly theirs: ReactNode
  /** The chosen side; undefined until chosen. */
  readonly chosen: 'mine' | 'theirs' | undefined
}

interface Props {
  /** The time of detection, in milliseconds. */
  readonly at: number
  readonly choices: readonly Choice[]
  /** Changes of the other device that were merged into the form. */
  readonly merged: readonly string[]
  readonly onChoose: (keys: readonly string[], chosen: 'mine' | 'theirs') => void
}

/** Reports changes of another device under an open form, and offers a choice for conflicts. */
export const ConflictBanner = ({ at, choices, merged, onChoose }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.drafts
  const now = useMinutes()
  const isOpen = choices.some(({ chosen }) => chosen === undefined)
  return (
    <Banner
      tone={isOpen ? 'warn' : 'info'}
      title={text.changedRemotely(formatAgo(at, now, locale) ?? text.justNow)}
    >
      {merged.length > 0 && <p>{text.merged(merged)}</p>}
      {choices.length > 0 && (
        <>
          <p>{text.choose}</p>
          <ul className="conflicts">
            {choices.map(({ keys, label, mine, theirs, chosen }) => (
              <li key={keys[0]} className="conflict">
                <strong>{label}</strong>
                <dl>
                  <dt>{text.mine}</dt>
                  <dd>{mine || text.nothing}</dd>
                  <dt>{text.theirs}</dt>
                  <dd>{theirs || text.nothing}</dd>
                </dl>
                <div className="banner-actions">
                  <button
                    type="button"
                    className="chip"
                    aria-pressed={chosen === 'mine'}
                    aria-label={messages.about(text.keepMine, label)}
                    onClick={() => onChoose(keys, 'mine')}
                  >
                    {text.keepMine}
                  </button>
                  <button
                    type="button"
                    className="chip"
                    aria-pressed={chosen === 'theirs'}
                    aria-label={messages.about(text.takeTheirs, label)}
                    onClick={() => onChoose(keys, 'theirs')}
                  >
                    {text.takeTheirs}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  )
}

/** The current time, updated every minute. */
const useMinutes = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
