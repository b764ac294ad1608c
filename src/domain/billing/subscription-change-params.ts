import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import { MAX_QUANTITY, MAX_SUBSCRIPTION_ITEMS } from '../core/money.ts'
import * as p from '../core/params.ts'
import type { ValueOf } from '../core/schema.ts'
import { itemTypeParam } from '../sessions/billing-terms.ts'
import { listPeriodLengthErrors } from '../time/periods.ts'

const priceChange = p.shape(
  {},
  {
    amount: p.amount(0, 'New price of one unit per period in minor units. Required for a new item.'),
    currency: p.currency('Currency of the subscription, which cannot change.'),
    tax_percent: p.taxPercent(
      'New tax rate in percent, added to the price: 0 to 100 with at most four decimals.',
    ),
  },
  'New price; omitted fields keep their value.',
)

const itemChange = p.shape(
  {},
  {
    id: p.id('The item to change; omit the id to add an item.'),
    quantity: p.integer(
      { min: 0, max: MAX_QUANTITY },
      `New number of units, 0 to ${MAX_QUANTITY} (default for a new item: 1).`,
    ),
    price_data: priceChange,
    description: p.text(500, 'New description of the item.'),
    type: { ...itemTypeParam, description: 'New label, such as `rent` (default for a new item: other).' },
    deleted: p.boolean('Remove the item.'),
  },
  'A changed, new or removed item.',
)

/** The parameters of a subscription update that change prices or the billing period. */
export const subscriptionChangeParams = {
  items: p.list(
    itemChange,
    2 * MAX_SUBSCRIPTION_ITEMS,
    'Items to change by `id`, to add, or to remove with `deleted`. Other items stay unchanged.',
  ),
  interval: p.choice(
    ['day', 'week', 'month', 'year'],
    'New unit of the billing period. If the length of the period changes, a new period starts now and is invoiced immediately.',
  ),
  interval_count: p.integer(
    { min: 1, errorCodes: { minimum: 'interval_count_out_of_range' } },
    'New number of intervals per billing period (default: 1 with `interval`).',
  ),
  billing_cycle_anchor: p.choice(
    ['unchanged', 'now'],
    'With `now`, a new billing period starts now and is invoiced immediately (default: unchanged).',
  ),
  proration_behavior: p.choice(
    ['create_prorations', 'always_invoice', 'none'],
    'Credit unused time and charge remaining time on the next invoice, on an invoice now, or not at all (default: create_prorations).',
  ),
  proration_date: p.timestamp(
    'Time of the change in Unix seconds, within the current period (default: now). Use the `proration_date` of a preview to get the same amounts.',
  ),
  payment_behavior: p.choice(
    ['allow_incomplete', 'error_if_incomplete'],
    'If the charge of an invoice that is created now fails: keep the change, or return 402 and change nothing (default: allow_incomplete).',
  ),
}

const changeShape = p.shape({}, subscriptionChangeParams)

/** The parameters that change prices or the billing period of a subscription. */
export type SubscriptionChangeParams = ValueOf<typeof changeShape>
export type ItemChange = ValueOf<typeof itemChange>

/** Returns the fields of an update that change neither prices nor the billing period. */
export function omitSubscriptionChangeParams<F extends SubscriptionChangeParams>(
  fields: F,
): Omit<F, keyof SubscriptionChangeParams> {
  const others = Object.entries(fields).filter(([name]) => !(name in subscriptionChangeParams))
  return Object.fromEntries(others) as Omit<F, keyof SubscriptionChangeParams>
}

/** Returns the validation errors of a change that do not depend on the subscription. */
export function listSubscriptionChangeErrors(
  fields: Unvalidated<SubscriptionChangeParams>,
): ValidationError[] {
  const items = fields.items ?? []
  return [
    ...items.flatMap((item, index) => (item === null ? [] : validateItem(item, `items[${index}]`))),
    ...validateDuplicates(items),
    ...listPeriodLengthErrors(fields, 'interval_count'),
  ]
}

function validateItem(item: Unvalidated<ItemChange>, path: string): ValidationError[] {
  if (item.id === undefined) return validateNewItem(item, path)
  const others = Object.keys(item).filter((name) => name !== 'id' && name !== 'deleted')
  if (item.deleted !== true || others.length === 0) return []
  const message = `Give ${path}[deleted] or ${path}[${others[0]}], not both: a removed item has no other changes.`
  return [{ code: 'parameters_exclusive', param: `${path}[deleted]`, message }]
}

function validateNewItem({ price_data, deleted }: Unvalidated<ItemChange>, path: string): ValidationError[] {
  if (deleted === true) {
    const message = `Missing ${path}[id]: name the item to remove.`
    return [{ code: 'parameter_missing', param: `${path}[id]`, message }]
  }
  if (price_data === null || price_data?.amount !== undefined) return []
  const message = `Missing ${path}[price_data][amount]: a new item needs a price. To change an item, give its id.`
  return [{ code: 'parameter_missing', param: `${path}[price_data][amount]`, message }]
}

function validateDuplicates(items: readonly (Unvalidated<ItemChange> | null)[]): ValidationError[] {
  const seen = new Set<string>()
  return items.flatMap((item, index) => {
    const id = item?.id ?? null
    if (id === null || !seen.has(id)) {
      if (id !== null) seen.add(id)
      return []
    }
    const param = `items[${index}][id]`
    const message = `Invalid ${param}: item '${id}' is named twice. Put all changes of an item into one entry.`
    return [{ code: 'parameters_exclusive', param, message }]
  })
}
