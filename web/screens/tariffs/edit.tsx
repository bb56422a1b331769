import { useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'

import { TARIFFS } from '#domain/collection.ts'
import { offeredCurrency } from '#domain/currency.ts'
import type { InputOf } from '#domain/record.ts'
import type { tariffs } from '#domain/tariff.ts'
import { recordsIn } from '../../data/log.ts'
import { useStore } from '../../data/react.ts'
import type { BusinessView, Result, SavedWrite } from '../../data/state.ts'
import { recordMessages } from '../../messages/fields.ts'
import { useLanguage } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useAddDraftAgain } from '../shared/deleted-record.ts'
import { describeFailure } from '../shared/failure.ts'
import { readOrigin, returnWith } from '../shared/price-origin.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { useNewId } from '../shared/use-new-id.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import {
  blankTariff,
  draftAsNew,
  TariffForm,
  tariffText,
  type SaveTariff,
  type TariffView,
} from './tariff-form.tsx'
import { TariffsSkeleton } from './tariffs-skeleton.tsx'
import { usesOf, type Uses } from './uses.ts'

/** Adds a price, optionally as a copy of another. */
export const AddPrice = () => (
  <WithBusiness skeleton={<TariffsSkeleton />}>
    {(business) =>
      business === null ? (
        <Navigate to={PATHS.addBusiness} replace />
      ) : (
        <AnyPrice business={business} />
      )
    }
  </WithBusiness>
)

/** A new price, or its last draft. A draft is stored under the id that its price will have. */
const AnyPrice = ({ business }: { readonly business: BusinessView }) => {
  const store = useStore()
  const { state } = useLocation()
  const [, setSearch] = useSearchParams()
  const [fresh, setFresh] = useState<string>()
  const id = useNewId(TARIFFS, fresh)
  const startFresh = () => {
    setFresh(store.newId())
    const withoutDraft = (search: URLSearchParams) => {
      search.delete('draft')
      return search
    }
    setSearch(withoutDraft, { replace: true, state })
  }
  if (id === undefined) return <TariffsSkeleton />
  return (
    <NewPrice
      key={id}
      id={id}
      business={business}
      takesFocus={id === fresh}
      onDiscard={startFresh}
    />
  )
}

interface NewProps {
  readonly id: string
  readonly business: BusinessView
  readonly takesFocus: boolean
  readonly onDiscard: () => void
}

const NewPrice = ({ id, business, takesFocus, onDiscard }: NewProps) => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const [search] = useSearchParams()
  const all = recordsIn(business, TARIFFS)
  const [initial] = useState(() => {
    const copied = all.find((each) => each.id === search.get('copyOf'))
    if (copied === undefined) return blankTariff(currencyFor(business, locale))
    return { ...tariffText(copied, locale), name: messages.tariffs.copyOf(copied.name) }
  })
  const from = readOrigin(useLocation().state)
  const finish = useFinish(from && returnWith(from, id))
  const save: SaveTariff = (input, how) =>
    finish(input.name ?? '', (isAwaited) =>
      store.createRecord(TARIFFS, id, input as InputOf<typeof tariffs>, { ...how, isAwaited }),
    )
  return (
    <WithDraft form={`${TARIFFS}:${id}`} skeleton={<TariffsSkeleton />}>
      {(slot, draft) => (
        <TariffForm
          initial={initial}
          isNew
          uses={undefined}
          from={from}
          slot={slot}
          draft={draft}
          save={save}
          takesFocus={takesFocus}
          onDiscard={onDiscard}
        />
      )}
    </WithDraft>
  )
}

const currencyFor = (business: BusinessView, locale: string): string =>
  offeredCurrency({
    chosen: recordsIn(business, TARIFFS).at(-1)?.currency,
    sites: business.sites.map(({ country }) => country),
    otherwise: [business.country_code, new Intl.Locale(locale).maximize().region ?? ''],
  })

/** Edits a price, which applies to all sites that use it. */
export const EditPrice = () => {
  const { id = '' } = useParams()
  return (
    <WithBusiness skeleton={<TariffsSkeleton />}>
      {(business) => <StoredPrice key={id} id={id} business={business} />}
    </WithBusiness>
  )
}

interface StoredProps {
  readonly id: string
  readonly business: BusinessView | null
}

const StoredPrice = ({ id, business }: StoredProps) => {
  const stored = recordsIn(business, TARIFFS).find((each) => each.id === id)
  const [known, setKnown] = useState(stored)
  // Deleted while its form is open; the input stays.
  if (stored !== undefined && stored !== known) setKnown(stored)
  if (business === null || known === undefined) return <Gone id={id} />
  return <ChangePrice tariff={known} uses={usesOf(business, id)} isDeleted={stored === undefined} />
}

const Gone = ({ id }: { readonly id: string }) => {
  const { messages } = useLanguage()
  const addAgain = useAddDraftAgain(`${TARIFFS}:${id}`, draftAsNew)
  return (
    <div className="card centre-card">
      <p>{messages.tariffs.notFound}</p>
      {addAgain && (
        <Button look="primary" onClick={() => void addAgain()}>
          {messages.tariffs.addAgain}
        </Button>
      )}
      <Link className="button" to={PATHS.prices}>
        {messages.titles.prices}
      </Link>
    </div>
  )
}

interface ChangeProps {
  readonly tariff: TariffView
  readonly uses: Uses
  readonly isDeleted: boolean
}

const ChangePrice = ({ tariff, uses, isDeleted }: ChangeProps) => {
  const { locale } = useLanguage()
  const store = useStore()
  const finish = useFinish()
  const save: SaveTariff = (changes, how) =>
    finish(changes.name ?? tariff.name, (isAwaited) =>
      store.updateRecord(TARIFFS, tariff.id, changes, { ...how, isAwaited }),
    )
  return (
    <WithDraft form={`${TARIFFS}:${tariff.id}`} skeleton={<TariffsSkeleton />}>
      {(slot, draft) => (
        <TariffForm
          initial={tariffText(tariff, locale)}
          isNew={false}
          uses={uses}
          slot={slot}
          draft={draft}
          save={save}
          isDeleted={isDeleted}
        />
      )}
    </WithDraft>
  )
}

/** Sends a form. After a save, shows a toast, and returns to the list or to the form that requested the price. */
const useFinish = (back?: ReturnType<typeof returnWith>) => {
  const { messages } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  return async (name: string, send: (isAwaited: () => boolean) => Promise<Result<SavedWrite>>) => {
    const result = await send(isMounted)
    if (result.problem !== undefined) {
      // The price may have been deleted; a reload shows whether it was.
      if (result.problem.kind === 'notFound') await store.load()
      const title = recordMessages(messages, TARIFFS)?.notSaved ?? ''
      return { ...describeFailure(messages, result), title }
    }
    toast(result.value.isQueued ? messages.drafts.keptForLater(name) : messages.tariffs.saved(name))
    if (isMounted()) await navigate(back?.path ?? PATHS.prices, back?.options)
    return undefined
  }
}
