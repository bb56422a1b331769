import { useEffect, useState, type Ref } from 'react'

import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { ago } from '../../format/when.ts'

/** Something that was changed here and elsewhere, in words. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly mine: string
  readonly theirs: string
  /** What was chosen; nothing yet. */
  readonly chosen: 'mine' | 'theirs' | undefined
}

interface Props {
  /** When it was noticed, in milliseconds. */
  readonly at: number
  readonly choices: readonly Choice[]
  /** What only the others changed, and is in the form by now. */
  readonly taken: readonly string[]
  readonly onChoose: (key: string, chosen: 'mine' | 'theirs') => void
  readonly ref?: Ref<HTMLDivElement>
}

/** Tells what another device changed under an open form, and lets the person choose. */
export const ConflictBanner = ({ at, choices, taken, onChoose, ref }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.drafts
  const now = useMinutes()
  const isOpen = choices.some(({ chosen }) => chosen === undefined)
  return (
    <Banner
      tone={isOpen ? 'warn' : 'info'}
      title={text.elsewhere(ago(at, now, locale) ?? text.justNow)}
      {...(ref === undefined ? {} : { ref })}
    >
      {taken.length > 0 && <p>{text.taken(taken)}</p>}
      {choices.length > 0 && (
        <>
          <p>{text.choose}</p>
          <ul className="conflicts">
            {choices.map(({ key, label, mine, theirs, chosen }) => (
              <li key={key} className="conflict">
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
                    onClick={() => onChoose(key, 'mine')}
                  >
                    {text.keepMine}
                  </button>
                  <button
                    type="button"
                    className="chip"
                    aria-pressed={chosen === 'theirs'}
                    aria-label={text.about(text.takeTheirs, label)}
                    onClick={() => onChoose(key, 'theirs')}
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
