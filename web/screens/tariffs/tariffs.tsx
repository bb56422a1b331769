import { Copy, Euro, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router'

import { TARIFFS } from '#domain/collection.ts'
import { recordsIn } from '../../data/log.ts'
import { useStore, useQueuedWrites } from '../../data/react.ts'
import type { BusinessView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { editPricePath, editSitePath, newPricePath, PATHS } from '../../paths.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SelectField } from '../../ui/text-field.tsx'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { useTariffSentence } from '../../traveller/use-tariff-sentence.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import type { TariffView } from './tariff-form.tsx'
import './tariffs.css'
import { TariffsSkeleton } from './tariffs-skeleton.tsx'
import { isUsed, usesOf, type Uses } from './uses.ts'

/** The prices of the business, and their uses. */
export const Prices = () => (
  <WithBusiness skeleton={<TariffsSkeleton />}>
    {(business) =>
      business === null ? (
        <Navigate to={PATHS.addBusiness} replace />
      ) : (
        <PriceList business={business} />
      )
    }
  </WithBusiness>
)

const PriceList = ({ business }: { readonly business: BusinessView }) => {
  const text = useMessages().tariffs
  const all = recordsIn(business, TARIFFS)
  const add = (
    <Link id={ADD_ID} className="button primary" to={PATHS.addPrice}>
      <Plus className="icon" />
      {text.add}
    </Link>
  )
  if (all.length === 0)
    return (
      <MessageCard icon={Euro} title={text.noneTitle} text={text.none}>
        {add}
      </MessageCard>
    )
  return (
    <div className="tariffs">
      <div className="tariffs-head">
        <p className="muted">{text.lead}</p>
        {add}
      </div>
      <ul className="stack">
        {all.map((tariff) => (
          <li key={tariff.id}>
            <PriceCard
              tariff={tariff}
              others={all.filter((each) => each !== tariff)}
              uses={usesOf(business, tariff.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface CardProps {
  readonly tariff: TariffView
  /** The prices that can replace it. */
  readonly others: readonly TariffView[]
  readonly uses: Uses
}

const PriceCard = ({ tariff, others, uses }: CardProps) => {
  const messages = useMessages()
  const text = messages.tariffs
  const store = useStore()
  const navigate = useNavigate()
  const isQueued = useQueuedWrites().some(({ id }) => id === tariff.id)
  const describeTariff = useTariffSentence()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <section className="card tariff-card" aria-labelledby={`price-${tariff.id}`}>
      <h2 id={`price-${tariff.id}`}>
        <Link to={editPricePath(tariff.id)}>
          <UserText text={tariff.name} />
        </Link>
      </h2>
      <p>{describeTariff(tariff)}</p>
      {isQueued && (
        <p>
          <span className="badge warn">{messages.drafts.waiting}</span>
        </p>
      )}
      <UsedAt uses={uses} />
      <ActionMenu
        label={text.menu(tariff.name)}
        entries={[
          {
            id: 'edit',
            label: messages.actions.edit,
            icon: Pencil,
            onAction: () => void navigate(editPricePath(tariff.id)),
          },
          {
            id: 'duplicate',
            label: text.duplicate,
            icon: Copy,
            onAction: () => void navigate(newPricePath(store.newId(), tariff.id)),
          },
          {
            id: 'delete',
            label: messages.actions.delete,
            icon: Trash2,
            tone: 'danger',
            onAction: () => setRemoving(true),
          },
        ]}
      />
      {isRemoving && <Removal {...{ tariff, others, uses }} onClose={() => setRemoving(false)} />}
    </section>
  )
}

const ADD_ID = 'add-price'

/** Maximum number of listed sites; further ones are only counted. */
const MAX_LISTED = 50

const UsedAt = ({ uses }: { readonly uses: Uses }) => {
  const text = useMessages().tariffs
  const { sites, connectors, places } = uses
  const used = text.usedAt(sites, connectors)
  if (places.length === 0) return <p className="muted">{used}</p>
  return (
    <details>
      <summary>{used}</summary>
      <ul>
        {places.slice(0, MAX_LISTED).map((site) => (
          <li key={site.id}>
            <Link to={editSitePath(site.id)}>
              <UserText text={site.name} />
            </Link>
          </li>
        ))}
      </ul>
      {places.length > MAX_LISTED && <p>{text.moreSites(places.length - MAX_LISTED)}</p>}
    </details>
  )
}

interface RemovalProps extends CardProps {
  readonly onClose: () => void
}

/** Asks for confirmation before a price is deleted, and for its replacement at sites and connectors. */
const Removal = ({ tariff, others, uses, onClose }: RemovalProps) => {
  const messages = useMessages()
  const text = messages.tariffs
  const store = useStore()
  const [instead, setInstead] = useState('')
  const { sites, connectors } = uses
  const remove = () => {
    onClose()
    store.deleteRecord(TARIFFS, tariff.id, isUsed(uses) ? instead : undefined)
    // The button that opened the dialog has disappeared with its card. If the user has moved the focus meanwhile, it
    // stays there.
    setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById(ADD_ID)?.focus()
    }, 50)
  }
  return (
    <ConfirmDialog
      title={text.removeTitle(plainText(tariff.name))}
      cancel={messages.actions.cancel}
      onCancel={onClose}
      confirm={isUsed(uses) ? text.replace : messages.actions.delete}
      tone="danger"
      onConfirm={remove}
    >
      {isUsed(uses) ? (
        <>
          <p>{`${text.usedAt(sites, connectors)}. ${text.inUse}`}</p>
          <SelectField
            label={text.instead}
            value={instead}
            onChange={(event) => setInstead(event.target.value)}
          >
            <option value="">{sites > 0 ? text.noPrice : messages.connectors.sameAsSite}</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <p>{text.undoable}</p>
        </>
      ) : (
        <p>{`${text.removeText} ${text.undoable}`}</p>
      )}
    </ConfirmDialog>
  )
}
