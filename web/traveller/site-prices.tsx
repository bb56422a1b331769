import { inDisplayOrder } from '#domain/connector.ts'
import type { PublicConnector, PublicTariff } from '#domain/public-site.ts'
import { webAddress } from '../format/web-address.ts'
import { valueLabel } from '../messages/fields.ts'
import { useLanguage } from '../messages/messages.ts'
import { onOneLine, UserText } from '../ui/user-text.tsx'
import { pricesOf } from './prices.ts'
import type { ShownSite } from './shown-site.ts'
import { plugNames } from './site-plugs.tsx'
import { USUAL_EXAMPLE, useTariffExample, type TariffExample } from './use-tariff-example.ts'
import { saidTariff, useTariffSentence } from './use-tariff-sentence.ts'

/**
 * Maximum number of prices in words. The server renders the page on each visit, and one price may take as long as the
 * rest of it.
 */
const MAX_PRICES = 12

interface Props {
  readonly site: Pick<ShownSite, 'connectors' | 'cost' | 'payment' | 'tariff' | 'tariffs'>
}

/**
 * The prices with an example each, and the ways to pay. A site has one price, unless connectors have their own; then
 * each price names its connectors.
 */
export const SitePrices = ({ site }: Props) => {
  const language = useLanguage()
  const { messages } = language
  const groups = pricesOf(site)
  const more = groups.length - MAX_PRICES
  return (
    <>
      {groups.slice(0, MAX_PRICES).map(({ tariff, connectors }) => (
        <div key={tariff?.id ?? ''} className="traveller-price">
          {groups.length > 1 && (
            <p className="traveller-label">{plugNames(connectors, language)}</p>
          )}
          {tariff === undefined ? (
            <p>
              {site.cost === '' ? (
                messages.traveller.noPrice
              ) : (
                <UserText text={onOneLine(site.cost)} />
              )}
            </p>
          ) : (
            <TariffText tariff={tariff} connectors={connectors} />
          )}
        </div>
      ))}
      {more > 0 && <p className="muted">{messages.traveller.morePrices(more)}</p>}
      {site.payment.length > 0 && (
        <p className="muted">
          {messages.about(
            messages.fields.sites.payment,
            valueLabel(messages, 'payment', site.payment),
          )}
        </p>
      )}
    </>
  )
}

interface TariffProps {
  readonly tariff: PublicTariff
  readonly connectors: readonly PublicConnector[]
}

const TariffText = ({ tariff, connectors }: TariffProps) => {
  const { messages, locale } = useLanguage()
  const text = messages.traveller
  const sentence = useTariffSentence()(tariff)
  const {
    text: cost,
    withVat,
    isFree,
  } = useTariffExample()(saidTariff(tariff), exampleFor(connectors))
  return (
    <>
      <p className="traveller-sentence">
        {sentence.slice(0, 1).toLocaleUpperCase(locale) + sentence.slice(1)}
      </p>
      {!isFree && (
        <p className="muted">
          {text.example(withVat === undefined ? cost : `${cost} (${withVat})`)}
        </p>
      )}
      {tariff.url !== '' && (
        <p>
          <a href={webAddress(tariff.url)} rel="noopener nofollow">
            {text.aboutPrice}
          </a>
        </p>
      )}
    </>
  )
}

const TEN_MINUTES_S = 600
const HALF_HOUR_S = 1800
/** From this duration on, the example is rounded to half hours. */
const LONG_S = 7200
const DAY_S = 86_400

/**
 * The usual session at the most powerful of the connectors. It takes longer if that connector is slow, but at most a
 * day, because the cost is computed day by day.
 */
const exampleFor = (connectors: readonly PublicConnector[]): TariffExample => {
  const [best] = inDisplayOrder(connectors)
  if (best === undefined) return USUAL_EXAMPLE
  const { standard, current_type, kw_rating } = best
  const { chargingS } = USUAL_EXAMPLE
  const kwh = Math.min(USUAL_EXAMPLE.kwh, (kw_rating * DAY_S) / 3600)
  const neededS = Math.min((USUAL_EXAMPLE.kwh / kw_rating) * 3600, DAY_S)
  const step = neededS > LONG_S ? HALF_HOUR_S : TEN_MINUTES_S
  const leastS = Math.ceil(neededS / step) * step
  return {
    ...USUAL_EXAMPLE,
    kwh,
    plug: { standard, current_type },
    chargingS: Math.max(chargingS, leastS),
  }
}
