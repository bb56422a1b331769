import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

import { useMessages } from '../../messages/messages.ts'
import { SitePicture } from '../../ui/site-picture.tsx'
import '../../ui/site-card.css'

/** The id of the heading, which can be focused. */
export const FIRST_STEPS_ID = 'first-steps'

interface Props {
  /** Number of finished steps out of three; undefined hides the steps. */
  readonly done: number | undefined
  readonly title: string
  readonly text: string
  /** The next action. */
  readonly children: ReactNode
}

/** An empty dashboard: the next step, and the progress. */
export const FirstSteps = ({ done, title, text, children }: Props) => {
  const { dashboard } = useMessages()
  return (
    <section className="card first-steps" aria-labelledby={FIRST_STEPS_ID}>
      <div className="first-steps-art">
        <SitePicture />
      </div>
      <h2 id={FIRST_STEPS_ID} tabIndex={-1}>
        {title}
      </h2>
      <p className="muted">{text}</p>
      {done !== undefined && (
        <ol aria-label={dashboard.stepsTitle}>
          {dashboard.steps.map((step, index) => (
            <li
              key={step}
              className={index < done ? 'done' : ''}
              aria-current={index === done ? 'step' : undefined}
            >
              <span className="step-mark" aria-hidden="true">
                {index < done ? <Check className="icon" /> : index + 1}
              </span>
              <span>
                {step}
                {index <= done && (
                  <span className="visually-hidden">
                    {' '}
                    ({index < done ? dashboard.stepDone : dashboard.stepNow})
                  </span>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {children}
    </section>
  )
}
