import type { PublicBusiness, PublicConnector, PublicTariff } from '#domain/public-site.ts'
import type { OcpiVersion } from '#domain/open-data.ts'
import type {
  PriceComponent,
  PriceLimit,
  Restrictions,
  TariffElement,
} from '#domain/tariff-element.ts'

import { isoDate } from '../output.ts'

/** OCPI: "numbers use 4 decimals". */
const DECIMALS = 4
const rounded = (value: number): number => Number(value.toFixed(DECIMALS))

type Plug = Pick<PublicConnector, 'standard' | 'current_type'>

/**
 * The elements of a tariff that apply to a plug, as a string of 0 and 1. OCPI has no elements for a current or for
 * plugs; connectors get separate tariffs instead (decision 0076).
 */
export const elementsFor = ({ elements }: Pick<PublicTariff, 'elements'>, plug: Plug): string =>
  elements.map(({ restrictions }) => (isFor(restrictions, plug) ? '1' : '0')).join('')

const isFor = (restrictions: Restrictions | undefined, { standard, current_type }: Plug): boolean =>
  (restrictions?.current === undefined ||
    restrictions.current === (current_type === 'DC' ? 'DC' : 'AC')) &&
  (restrictions?.standards?.includes(standard) ?? true)

/** The ID of the OCPI Tariff with these elements of a tariff. */
const tariffId = (id: string, elements: string): string =>
  elements.includes('0') ? `${id}-${BigInt(`0b${elements}`).toString(36)}` : id

/**
 * The ID of a connector's OCPI Tariff. @returns undefined if this OCPI version cannot express the tariff, or if it has
 * no price for the plug
 */
export const tariffIdOf = (
  tariff: PublicTariff,
  plug: Plug,
  version: OcpiVersion,
): string | undefined => {
  const elements = elementsFor(tariff, plug)
  if (!elements.includes('1') || !isExpressible(tariff, version)) return undefined
  return tariffId(tariff.id, elements)
}

/**
 * Whether OCPI can express a tariff. OCPI 2.2.1 states prices without taxes, so prices that include tax need its rate.
 */
export const isExpressible = (tariff: PublicTariff, version: OcpiVersion): boolean =>
  version !== '2.2.1' ||
  tariff.tax_included !== 'YES' ||
  tariff.elements.every(({ price_components }) =>
    price_components.every(({ price, vat }) => price === 0 || vat !== undefined),
  )

/** Writes an OCPI Tariff with the elements selected by the string of 0 and 1. */
export const writeTariff = (
  tariff: PublicTariff & { readonly updated: string },
  { country_code, party_id }: Pick<PublicBusiness, 'country_code' | 'party_id'>,
  { elements, version }: { readonly elements: string; readonly version: OcpiVersion },
): object => {
  const { id, currency, tax_included, min_price, max_price, url, updated } = tariff
  const isNet = version === '2.2.1'
  const limit = isNet ? netLimit : grossLimit
  return {
    country_code,
    party_id,
    id: tariffId(id, elements),
    currency,
    ...(url !== '' && { tariff_alt_url: url }),
    ...(min_price !== null && { min_price: limit(min_price) }),
    ...(max_price !== null && { max_price: limit(max_price) }),
    elements: tariff.elements
      .filter((_, index) => elements[index] === '1')
      .map((element) => writeElement(element, isNet && tax_included === 'YES')),
    ...(!isNet && { tax_included }),
    last_updated: isoDate(updated),
  }
}

const grossLimit = ({ before_taxes, after_taxes }: PriceLimit): object => ({
  before_taxes: rounded(before_taxes),
  ...(after_taxes !== undefined && { after_taxes: rounded(after_taxes) }),
})

const netLimit = ({ before_taxes, after_taxes }: PriceLimit): object => ({
  excl_vat: rounded(before_taxes),
  ...(after_taxes !== undefined && { incl_vat: rounded(after_taxes) }),
})

const writeElement = (
  { price_components, restrictions }: TariffElement,
  hasTax: boolean,
): object => {
  const { current: _, standards: __, ...held } = restrictions ?? {}
  return {
    price_components: price_components.map((component) => writeComponent(component, hasTax)),
    ...(Object.keys(held).length > 0 && { restrictions: held }),
  }
}

const writeComponent = (
  { type, price, vat, step_size }: PriceComponent,
  hasTax: boolean,
): PriceComponent => ({
  type,
  price: rounded(hasTax ? price / (1 + (vat ?? 0) / 100) : price),
  ...(vat !== undefined && { vat: rounded(vat) }),
  step_size,
})
