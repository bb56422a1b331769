import { MailCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'

import { useSettings } from '../../settings.ts'
import { confirmAddress, type LinkOutcome, type MailLink } from '../../data/mail-links.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { AddressSkeleton } from './address-skeleton.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import { DeadLink } from './dead-link.tsx'
import { useMailLink } from './use-mail-link.ts'

/** The target of the link in confirmation emails. Opening it confirms the address. */
export const ConfirmAddress = () => {
  const { account } = useMessages()
  const { state, finish } = useMailLink(PATHS.confirmAddress)
  switch (state.kind) {
    case 'moving':
      return <AddressSkeleton />
    case 'ready':
      return <Confirming link={state.link} finish={finish} />
    case 'done':
      return <Confirmed />
    default:
      return <DeadLink kind={state.kind} usedText={account.usedForAddress} />
  }
}

const Confirming = ({ link, finish }: { readonly link: MailLink; readonly finish: () => void }) => {
  const { account, actions, problems } = useMessages()
  const basePath = useSettings()['base-path']
  const [outcome, setOutcome] = useState<LinkOutcome>()
  const started = useRef(false)

  const confirm = async () => {
    setOutcome(undefined)
    const result = await confirmAddress(basePath, link)
    if (result.kind === 'done') finish()
    else setOutcome(result)
  }

  useEffect(() => {
    // A link works once, so the request is sent once.
    if (started.current) return
    started.current = true
    void confirm()
  })

  if (outcome?.kind === 'used') return <DeadLink kind="used" usedText={account.usedForAddress} />
  if (outcome?.kind === 'failed') {
    return (
      <div className="card centre-card">
        <Banner tone="danger" title={account.failedTitle}>
          {problems[outcome.problem.kind]}
        </Banner>
        <Button look="primary" onClick={() => void confirm()}>
          {actions.retry}
        </Button>
      </div>
    )
  }
  return <AddressSkeleton />
}

const Confirmed = () => {
  const { account } = useMessages()
  return (
    <MessageCard
      takesFocus
      icon={MailCheck}
      title={account.confirmedTitle}
      text={account.confirmed}
    >
      <Link className="button primary" to={PATHS.dashboard}>
        {account.dashboard}
      </Link>
    </MessageCard>
  )
}
