import fc from 'fast-check'
import type { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'

export type ChangeParams = Omit<ParamsOf<typeof api.subscriptions.update>, 'id'>
type ItemParams = NonNullable<ChangeParams['items']>[number]

/** A random change of a subscription. `changeParams` selects the items and the time when the change is made. */
export interface RandomChange {
  readonly edits: readonly { readonly pick: number; readonly item: ItemParams }[]
  readonly added: readonly ItemParams[]
  readonly fields: ChangeParams
  /** `proration_date` as a share of the time since the period started; null for now. */
  readonly share: number | null
}

const amounts = fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 1_000_000 }), fc.constantFrom(0, 1, 999, 1000))
const price = fc.record(
  { amount: amounts, tax_percent: fc.constantFrom(0, 5.5, 7, 19, 20, 33.3333, 100) },
  { requiredKeys: ['amount'] },
)
const quantity = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 40 }))
const edit = fc.oneof(
  { weight: 3, arbitrary: fc.record({ quantity, price_data: price }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.constant({ deleted: true }) },
)
const added = fc.record(
  { price_data: price, quantity, description: fc.constant('Support') },
  {
    requiredKeys: ['price_data'],
  },
)
const spans = fc.constantFrom(
  ...([{ interval: 'day', interval_count: 3 }, { interval: 'week' }, { interval: 'month' }] as const),
  ...([{ interval: 'month', interval_count: 3 }, { interval: 'year' }] as const),
)
const behavior = fc.constantFrom('create_prorations', 'always_invoice', 'none')

/** Generates changes of prices; some also change the billing period. */
export const randomChanges: fc.Arbitrary<RandomChange> = fc
  .record({
    edits: fc.array(fc.record({ pick: fc.nat({ max: 9 }), item: edit }), { maxLength: 2 }),
    added: fc.array(added, { maxLength: 1 }),
    span: fc.option(spans, { freq: 3, nil: {} }).map((chosen) => chosen),
    rules: fc.record(
      {
        proration_behavior: behavior,
        payment_behavior: fc.constantFrom('allow_incomplete', 'error_if_incomplete'),
        billing_cycle_anchor: fc.constantFrom('unchanged', 'unchanged', 'now'),
      },
      { requiredKeys: [] },
    ),
    share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2 }),
  })
  .map(({ span, rules, ...change }) => ({ ...change, fields: { ...span, ...rules } }) as RandomChange)

/** Returns the parameters of a change of this subscription at `now`, in Unix seconds. */
export function changeParams(
  { items, current_period_start }: Subscription,
  { edits, added, fields, share }: RandomChange,
  now: number,
): ChangeParams {
  const edited = new Map(
    edits.map(({ pick, item }) => {
      const id = items[pick % items.length]?.id ?? ''
      return [id, { id, ...item }]
    }),
  )
  const changes = [...edited.values(), ...added]
  const start = current_period_start ?? now
  return {
    ...fields,
    ...(changes.length === 0 ? {} : { items: changes }),
    ...(share === null ? {} : { proration_date: start + Math.floor(share * (now - start)) }),
  }
}
