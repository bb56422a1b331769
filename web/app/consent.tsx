import { useState, useSyncExternalStore } from 'react'

import {
  chooseConsent,
  getConsent,
  isRefusedByBrowser,
  subscribeConsent,
} from '../analytics/consent.ts'
import { useMessages } from '../messages/messages.ts'
import './consent.css'
import { useSettings } from '../settings.ts'
import { Button } from '../ui/button.tsx'

/**
 * Asks for consent to usage analytics once, at the end of the page, where it covers and moves nothing.
 * The answer can be changed there afterwards.
 */
export const Consent = () => {
  const { consent } = useMessages()
  const settings = useSettings()
  const state = useSyncExternalStore(subscribeConsent, getConsent)
  const [isOpen, setOpen] = useState(state === 'unasked')
  if (isRefusedByBrowser()) return null

  const answer = (choice: 'yes' | 'no') => {
    chooseConsent(choice)
    setOpen(false)
  }
  const privacy = settings['privacy-url']
  return (
    <section className="consent" aria-label={consent.title}>
      {isOpen ? (
        <>
          <p>
            {consent.question}{' '}
            {privacy !== '' && (
              <a href={privacy} target="_blank" rel="noopener noreferrer">
                {consent.more}
              </a>
            )}
          </p>
          <div className="consent-answers">
            <Button onClick={() => answer('no')}>{consent.no}</Button>
            <Button onClick={() => answer('yes')}>{consent.yes}</Button>
          </div>
        </>
      ) : (
        <p>
          {state === 'yes' ? consent.on : consent.off}{' '}
          <Button look="link" onClick={() => setOpen(true)}>
            {consent.change}
          </Button>
        </p>
      )}
    </section>
  )
}
