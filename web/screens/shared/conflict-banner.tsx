import { useEffect, useState, type ReactNode } from 'react'

import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { ago } from '../../format/when.ts'

/** Something that was changed here and elsewhere, in words. */
export interface Choice {
  /** The conflicts that it decides, by `keyOf`: those that read alike are one choice. */
  readonly keys: readonly string[]
  readonly label: string
  readonly mine: ReactNode
  readonly theirs: ReactNode
  /** What was chosen; nothing yet. */
  readonly chosen: 'mine' | 'theirs' | undefined
}

interface Props {
  /** When it was noticed, in milliseconds. */
  readonly at: number
  readonly choices: readonly Choice[]
  /** What only the others changed, and is in the form by now. */
  readonly taken: readonly string[]
  readonly onChoose: (keys: readonly string[], chosen: 'mine' | 'theirs') => void
}

/** Tells what another device changed under an open form, and lets the person choose. */
export const ConflictBanner = ({ at, choices, taken, onChoose }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.drafts
  const now = useMinutes()
  const isOpen = choices.some(({ chosen }) => chosen === undefined)
  return (
    <Banner
      tone={isOpen ? 'warn' : 'info'}
      title={text.elsewhere(ago(at, now, locale) ?? text.justNow)}
    >
      {taken.length > 0 && <p>{text.taken(taken)}</p>}
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
                    aria-label={text.about(text.keepMine, label)}
                    onClick={() => onChoose(keys, 'mine')}
                  >
                    {text.keepMine}
                  </button>
                  <button
                    type="button"
                    className="chip"
                    aria-pressed={chosen === 'theirs'}
                    aria-label={text.about(text.takeTheirs, label)}
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

/** The present moment, new every minute. */
const useMinutes = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
