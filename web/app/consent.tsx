import { useState, useSyncExternalStore } from 'react'

import { chooseConsent, consent, isRefusedByBrowser } from '../analytics/consent.ts'
import { useMessages } from '../messages/messages.ts'
import './consent.css'
import { useSettings } from '../settings.ts'
import { Button } from '../ui/button.tsx'

/**
 * Asks for consent to usage analytics once, at the end of the page, where it covers and moves nothing.
 * The answer can be changed there afterwards.
 */
export const Consent = () => {
  const { consent: text } = useMessages()
  const settings = useSettings()
  const state = useSyncExternalStore(consent.subscribe, consent.get)
  const [isOpen, setOpen] = useState(state === 'unasked')
  if (isRefusedByBrowser()) return null

  const answer = (choice: 'yes' | 'no') => {
    chooseConsent(choice)
    setOpen(false)
  }
  const privacy = settings['privacy-url']
  return (
    <section className="consent" aria-label={text.title}>
      {isOpen ? (
        <>
          <p>
            {text.question}{' '}
            {privacy !== '' && (
              <a href={privacy} target="_blank" rel="noopener noreferrer">
                {text.more}
              </a>
            )}
          </p>
          <div className="consent-answers">
            <Button onClick={() => answer('no')}>{text.no}</Button>
            <Button onClick={() => answer('yes')}>{text.yes}</Button>
          </div>
        </>
      ) : (
        <p>
          {state === 'yes' ? text.on : text.off}{' '}
          <Button look="link" onClick={() => setOpen(true)}>
            {text.change}
          </Button>
        </p>
      )}
    </section>
  )
}
