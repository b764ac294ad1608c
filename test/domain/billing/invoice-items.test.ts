import {
  createOneOffItem,
  type InvoiceItem,
  requireItemCapacity,
  type SubscriptionWithCustomerPendingItems,
} from '../../../src/domain/billing/invoice-items.ts'
import { aSubscription } from '../../support/account-samples.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/invoice-items')

const KEY = { description: 'Key', unit_amount: 1501, quantity: 3, tax_percent: 5.5 }

function account(
  more: Partial<SubscriptionWithCustomerPendingItems> = {},
): SubscriptionWithCustomerPendingItems {
  return { subscription: aSubscription(createRuleContext()), pendingItems: [], ...more }
}

function item(fields = KEY, more: Partial<InvoiceItem> = {}): InvoiceItem {
  return { ...createOneOffItem(account(), fields, createRuleContext()).after, ...more }
}

test('creates a pending item with the amount of its units and the rounded tax', () => {
  const { subscription } = account()
  const { event, after } = createOneOffItem(account({ subscription }), KEY, createRuleContext())
  assert.is(event, 'invoice_item.created')
  assert.equal(after, {
    id: after.id,
    object: 'invoice_item',
    created: START,
    livemode: false,
    customer: subscription.customer,
    subscription: subscription.id,
    subscription_item: null,
    invoice: null,
    currency: 'eur',
    description: 'Key',
    type: 'other',
    quantity: 3,
    unit_amount: 1501,
    amount: 4503,
    tax_percent: 5.5,
    tax_amount: 248,
    total: 4751,
    period: { start: START, end: START },
    proration: false,
    metadata: {},
    test_clock: null,
  })
})

test('rejects an item of a canceled subscription, and an amount of more than 12 digits', async () => {
  const canceled = { ...account().subscription, status: 'canceled' as const }
  const created = (unit_amount: number, quantity: number, subscription = account().subscription) =>
    createOneOffItem(account({ subscription }), { ...KEY, unit_amount, quantity }, createRuleContext())
  assert.is((await catchDomainError(() => created(1, 1, canceled))).code, 'subscription_unexpected_state')
  for (const sign of [1, -1]) {
    assert.is(created(sign * 333_333_333_333, 3).after.amount, sign * 999_999_999_999)
    const { code, param } = await catchDomainError(() => created(sign * 333_333_333_334, 3))
    assert.equal([code, param], ['amount_too_large', 'quantity'])
  }
})

test('a customer has at most 250 pending items, whose sum with the subscription must be a valid payment', async () => {
  const full = account({ pendingItems: Array.from({ length: 250 }, () => item()) })
  requireItemCapacity(full, [])
  assert.is((await catchDomainError(() => requireItemCapacity(full, [item()]))).code, 'invoice_item_limit')
  // The subscription costs 1200.00 EUR with tax. Credits count like charges, so deleting a credit keeps the sum valid.
  const rest = 39_999_999_999_960 - 120_000
  const [fee, credit] = [item(KEY, { total: rest - 500 }), item(KEY, { total: -500 })]
  requireItemCapacity(account({ pendingItems: [fee] }), [credit])
  const more = () => requireItemCapacity(account({ pendingItems: [fee, credit] }), [item(KEY, { total: 1 })])
  assert.is((await catchDomainError(more)).code, 'amount_too_large')
})

test.run()
