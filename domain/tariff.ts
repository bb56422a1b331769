import { AUTODATES, BUSINESSES, OWNERS, TARIFFS, type Collection } from './collection.ts'
import { TAX_INCLUDED, type PriceLimit } from './tariff-element.ts'

const elements = async () => (await import('./tariff-schema.ts')).tariffElementsSchema
const limit = async () => (await import('./tariff-schema.ts')).priceLimitSchema

/** Compares the amounts that owners enter: with the taxes, unless the prices exclude them. */
const notBelowMinimum = (value: unknown, valueOf: (name: string) => unknown) => {
  const isNet = valueOf('tax_included') === 'NO'
  const [min, max] = [valueOf('min_price'), value].map((each) => {
    const amounts = each as PriceLimit | null | undefined
    return isNet ? amounts?.before_taxes : (amounts?.after_taxes ?? amounts?.before_taxes)
  })
  return min === undefined || max === undefined || min <= max
    ? undefined
    : ({ code: 'validation_min_number_constraint', params: { min } } as const)
}

/** A price that a business charges; its sites and connectors refer to it. */
export const tariffs = {
  id: 'pbc_2759710784',
  name: TARIFFS,
  owner: 'business.user',
  access: OWNERS,
  cascades: true,
  fields: {
    name: { kind: 'text', max: 100, required: true },
    currency: {
      kind: 'text',
      max: 3,
      format: { pattern: /^[A-Z]{3}$/, example: 'EUR' },
      required: true,
    },
    tax_included: { kind: 'select', values: TAX_INCLUDED, default: 'YES', required: true },
    elements: { kind: 'json', schema: elements, maxBytes: 32 * 1024, required: true },
    min_price: { kind: 'json', schema: limit, maxBytes: 200 },
    max_price: { kind: 'json', schema: limit, maxBytes: 200, check: notBelowMinimum },
    url: { kind: 'url', max: 2048 },
    business: { kind: 'relation', to: BUSINESSES, required: true },
    ...AUTODATES,
  },
} as const satisfies Collection
