import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, toNextPeriod } from '../support/billing.ts'
import { catchDomainError } from '../support/catch-domain-error.ts'
import { shortType } from '../support/lifecycle.ts'
import { newCheckout, newCustomer } from '../support/samples.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/coupons')

type CouponParams = ParamsOf<typeof api.coupons.create>
type Checkout = Parameters<typeof newCheckout>

const codeOf = async (promise: Promise<unknown>) => (await catchDomainError(promise)).code

async function newCode(sandbox: Sandbox, coupon: CouponParams = {}, code: object = {}) {
  const { id } = await sandbox.call(api.coupons.create, { percent_off: 25, ...coupon })
  return sandbox.call(api.promotionCodes.create, { coupon: id, code: 'Spring-25', ...code })
}

/** Completes a session with a coupon, and resolves with the session, the subscription and the first invoice. */
async function buy(
  sandbox: Sandbox,
  coupon: CouponParams,
  terms: Checkout[1] = {},
  fields: Checkout[2] = {},
) {
  const { id: given } = await sandbox.call(api.coupons.create, coupon)
  const { id } = await newCheckout(sandbox, terms, { discounts: [{ coupon: given }], ...fields })
  const session = await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  const subscription = await sandbox.call(api.subscriptions.retrieve, { id: session.subscription ?? '' })
  const [invoice] = await invoicesOf(sandbox, subscription.id)
  return { session, subscription, invoice, coupon: given }
}

async function assertSound(sandbox: Sandbox): Promise<void> {
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
}

test('a discount of 100 % requires no payment and saves the card', async () => {
  const sandbox = createSandbox()
  const { session, invoice } = await buy(sandbox, { percent_off: 100 })
  assert.equal(
    [session.payment_status, session.payment, session.amount_total],
    ['no_payment_required', null, 0],
  )
  assert.ok(session.payment_method)
  assert.equal([invoice?.status, invoice?.subtotal, invoice?.total, invoice?.tax], ['paid', 100_000, 0, 0])
  assert.equal(
    (await sandbox.events()).slice(-11).map(shortType),
    'coup.created,cus.created,cks.created,pm.attached,cus.updated,coup.updated,sub.created,in.created,in.finalized,in.paid,cks.completed'.split(
      ',',
    ),
  )
  await assertSound(sandbox)
})

test('an amount_off larger than the invoice total reduces the total to 0 and creates no credit', async () => {
  const sandbox = createSandbox()
  const { subscription, invoice } = await buy(sandbox, {
    amount_off: 5_000_000,
    currency: 'eur',
    duration: 'forever',
  })
  assert.equal([invoice?.discount_amount, invoice?.total], [100_000, 0])
  await toNextPeriod(sandbox, subscription.id)
  const [, renewal] = await invoicesOf(sandbox, subscription.id)
  assert.equal([renewal?.discount_amount, renewal?.total, renewal?.status], [100_000, 0, 'paid'])
  await assertSound(sandbox)
})

test('the discount shares of the lines add up to the discount, and tax is computed on the net amounts', async () => {
  const sandbox = createSandbox()
  const items = [19, 7, 0].map((tax_percent) => ({
    description: `${tax_percent} %`,
    price_data: { amount: 3333, tax_percent },
  }))
  const { session, invoice } = await buy(sandbox, { amount_off: 1000, currency: 'eur' }, { items })
  const lines = invoice?.lines.map(({ discount_amount, tax_amount, total }) => [
    discount_amount,
    tax_amount,
    total,
  ])
  assert.equal(lines, [
    [334, 570, 3569],
    [333, 210, 3210],
    [333, 0, 3000],
  ])
  assert.equal(
    [session.amount_subtotal, session.amount_discount, session.amount_tax, session.amount_total],
    [9999, 1000, 780, 9779],
  )
  assert.equal(invoice?.taxes, [
    { tax_percent: 19, taxable_amount: 2999, amount: 570 },
    { tax_percent: 7, taxable_amount: 3000, amount: 210 },
    { tax_percent: 0, taxable_amount: 3000, amount: 0 },
  ])
  await assertSound(sandbox)
})

test('a discount removed during a trial does not reduce the first paid invoice', async () => {
  const sandbox = createSandbox()
  const { subscription, session } = await buy(sandbox, { percent_off: 50 }, { trial_days: 14 })
  assert.equal([subscription.discount?.start, session.amount_total], [START + 14 * DAY, 60_000])
  await sandbox.call(api.subscriptions.update, { id: subscription.id, discount: null })
  await toNextPeriod(sandbox, subscription.id)
  assert.equal(
    (await invoicesOf(sandbox, subscription.id)).map(({ total }) => total),
    [0, 120_000],
  )
  await assertSound(sandbox)
})

test('a discount starts at the trial end, also when the end is moved or the trial is ended', async () => {
  const sandbox = createSandbox()
  const coupon = { percent_off: 50, duration: 'repeating', duration_in_months: 1 } as const
  const { subscription } = await buy(sandbox, coupon, { trial_days: 14 })
  const { id } = subscription
  const trial_end = START + 20 * DAY
  assert.is((await sandbox.call(api.subscriptions.update, { id, trial_end })).discount?.start, trial_end)
  await sandbox.advance(DAY)
  const ended = await sandbox.call(api.subscriptions.update, { id, trial_end: 'now' })
  assert.is(ended.discount?.start, START + DAY)
  assert.equal(
    (await invoicesOf(sandbox, id)).map(({ discount_amount }) => discount_amount),
    [0, 50_000],
  )
  await assertSound(sandbox)
})

test('after the last redemption, another open session cannot be completed and stays open', async () => {
  const sandbox = createSandbox()
  const { coupon } = await newCode(sandbox, { max_redemptions: 1 })
  const sessions = [
    await newCheckout(sandbox, {}, { discounts: [{ coupon }] }),
    await newCheckout(sandbox, {}, { allow_promotion_codes: true }),
  ]
  const [first, second] = sessions.map(({ id }) => id)
  const entered = { id: second ?? '', test_card: 'visa', promotion_code: 'SPRING-25' }
  await sandbox.call(api.checkoutSessions.complete, { id: first ?? '', test_card: 'visa' })
  assert.is(await codeOf(sandbox.call(api.checkoutSessions.complete, entered)), 'coupon_exhausted')
  const open = await sandbox.call(api.checkoutSessions.retrieve, { id: second ?? '' })
  assert.equal([open.status, open.amount_total], ['open', 120_000])
  assert.is(await codeOf(newCheckout(sandbox, {}, { discounts: [{ coupon }] })), 'coupon_exhausted')
  const { times_redeemed, valid } = (await sandbox.call(api.coupons.retrieve, { id: coupon })) as {
    readonly times_redeemed?: number
    readonly valid?: boolean
  }
  assert.equal([times_redeemed, valid], [1, false])
  await assertSound(sandbox)
})

test('a code that the customer entered discounts the session when it is completed', async () => {
  const sandbox = createSandbox()
  const code = await newCode(sandbox)
  const { id } = await newCheckout(sandbox, {}, { allow_promotion_codes: true })
  const declined = { id, test_card: 'insufficient_funds', promotion_code: 'spring-25' }
  assert.is(await codeOf(sandbox.call(api.checkoutSessions.complete, declined)), 'card_declined')
  const session = await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  assert.equal(session.discounts, [{ coupon: code.coupon, promotion_code: code.id }])
  assert.equal([session.amount_discount, session.amount_total], [25_000, 90_000])
  const used = await sandbox.call(api.promotionCodes.retrieve, { id: code.id })
  assert.is(used.times_redeemed, 1)
  assert.equal((await sandbox.snapshot()).records.entered_codes, [])
  await assertSound(sandbox)
})

test('a session that ends without a payment discards its entered code', async () => {
  const endings: Readonly<
    Record<string, (sandbox: Sandbox, id: string, customer: string) => Promise<unknown>>
  > = {
    'by time': (sandbox) => sandbox.moveTo(START + 2 * DAY),
    'by the API': (sandbox, id) => sandbox.call(api.checkoutSessions.expire, { id }),
    'with its customer': (sandbox, _, id) => sandbox.call(api.customers.delete, { id }),
  }
  for (const [name, end] of Object.entries(endings)) {
    const sandbox = createSandbox()
    await newCode(sandbox)
    const { id, customer } = await newCheckout(sandbox, {}, { allow_promotion_codes: true })
    const declined = { id, test_card: 'insufficient_funds', promotion_code: 'spring-25' }
    assert.is(await codeOf(sandbox.call(api.checkoutSessions.complete, declined)), 'card_declined')
    assert.is((await sandbox.snapshot()).records.entered_codes.length, 1, name)
    await end(sandbox, id, customer)
    assert.equal((await sandbox.snapshot()).records.entered_codes, [], name)
  }
})

test('a code that the customer cannot use causes an error', async () => {
  const sandbox = createSandbox()
  const code = await newCode(sandbox, {}, { first_time_only: true, expires_at: START + DAY })
  const customer = (await newCustomer(sandbox)).id
  const complete = async (promotion_code: string, fields: object = { allow_promotion_codes: true }) => {
    const { id } = await newCheckout(sandbox, {}, { customer, ...fields })
    return sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa', promotion_code })
  }
  assert.is(await codeOf(complete('AUTUMN')), 'resource_missing')
  assert.is(await codeOf(complete('Spring-25', {})), 'promotion_code_not_allowed')
  await complete('SPRING-25')
  assert.is(await codeOf(complete('SPRING-25')), 'promotion_code_first_time_only')
  assert.is(
    await codeOf(sandbox.call(api.promotionCodes.create, { coupon: code.coupon, code: 'SPRING-25' })),
    'promotion_code_exists',
  )
  await sandbox.moveTo(START + DAY)
  assert.is(await codeOf(complete('SPRING-25')), 'coupon_expired')
  const given = { discounts: [{ promotion_code: code.id }] }
  await sandbox.call(api.promotionCodes.update, { id: code.id, active: false })
  assert.is(await codeOf(complete('SPRING-25')), 'resource_missing')
  assert.is(await codeOf(newCheckout(sandbox, {}, { customer, ...given })), 'promotion_code_inactive')
  await assertSound(sandbox)
})

test('a coupon can have a chosen id, which no other coupon can use', async () => {
  const sandbox = createSandbox()
  const fields = { id: 'SPRING-25', amount_off: 500, currency: 'usd' }
  assert.is((await sandbox.call(api.coupons.create, fields)).id, 'SPRING-25')
  assert.is(await codeOf(sandbox.call(api.coupons.create, fields)), 'coupon_exists')
  const discounts = [{ coupon: 'SPRING-25' }]
  assert.is(await codeOf(newCheckout(sandbox, {}, { discounts })), 'currency_mismatch')
  await sandbox.call(api.coupons.delete, { id: 'SPRING-25' })
  assert.is(await codeOf(newCheckout(sandbox, {}, { discounts })), 'resource_missing')
  assert.is(await codeOf(sandbox.call(api.coupons.create, fields)), 'coupon_exists')
  await assertSound(sandbox)
})

test('a subscription change credits the discounted price, and its prorations are not discounted', async () => {
  const sandbox = createSandbox()
  const { subscription } = await buy(sandbox, { percent_off: 50, duration: 'forever' })
  const { id, items, current_period_start, current_period_end } = subscription
  await sandbox.moveTo(((current_period_start ?? 0) + (current_period_end ?? 0)) / 2)
  const change = { id, items: [{ id: items[0]?.id ?? '', price_data: { amount: 200_000 } }] }
  const preview = await sandbox.call(api.subscriptions.preview, {
    ...change,
    proration_behavior: 'always_invoice',
  })
  await sandbox.call(api.subscriptions.update, { ...change, proration_behavior: 'always_invoice' })
  const [, invoice] = await invoicesOf(sandbox, id)
  assert.equal(
    invoice?.lines.map(({ amount, discount_amount }) => [amount, discount_amount]),
    [
      [-25_000, 0],
      [100_000, 0],
    ],
  )
  assert.equal([preview.total, preview.discount_amount], [invoice?.total, 0])
  await assertSound(sandbox)
})

test('previews and statistics contain the discount', async () => {
  const sandbox = createSandbox()
  const twice = { percent_off: 25, duration: 'repeating', duration_in_months: 2 } as const
  const { subscription } = await buy(sandbox, twice)
  const { id } = subscription
  const revenue = async () => (await sandbox.call(api.statistics.retrieve, {})).recurring_revenue[0]?.amount
  const next = async () => (await sandbox.call(api.subscriptions.preview, { id })).total
  assert.equal([await next(), await revenue()], [90_000, 75_000])
  await toNextPeriod(sandbox, id)
  assert.equal([await next(), await revenue()], [120_000, 75_000])
  await toNextPeriod(sandbox, id)
  assert.equal([await next(), await revenue()], [120_000, 100_000])
  const { id: coupon } = await sandbox.call(api.coupons.create, { percent_off: 10 })
  const preview = await sandbox.call(api.subscriptions.preview, { id, discount: { coupon } })
  assert.equal([preview.total, preview.discount?.coupon], [108_000, coupon])
  const { times_redeemed } = (await sandbox.call(api.coupons.retrieve, { id: coupon })) as {
    readonly times_redeemed?: number
  }
  assert.is(times_redeemed, 0)
})

test('the preview with discount: null is the invoice without the discount', async () => {
  const sandbox = createSandbox()
  const { subscription } = await buy(sandbox, { percent_off: 50, duration: 'forever' })
  const change = { id: subscription.id, discount: null, interval: 'year' } as const
  const preview = await sandbox.call(api.subscriptions.preview, change)
  await sandbox.call(api.subscriptions.update, change)
  const [, invoice] = await invoicesOf(sandbox, subscription.id)
  assert.equal([preview.discount, preview.discount_amount, preview.total], [null, 0, invoice?.total])
})

test('a discount on a test clock counts its redemption in real time', async () => {
  const sandbox = createSandbox()
  const clock = await sandbox.call(api.testClocks.create, { frozen_time: START - 400 * DAY })
  const owner = { email: 'ada@example.com', test_clock: clock.id }
  const { id: customer } = await sandbox.call(api.customers.create, owner)
  await sandbox.advance(5)
  const { subscription } = await buy(sandbox, { percent_off: 5, redeem_by: START }, {}, { customer })
  assert.is(subscription.discount?.start, START - 400 * DAY)
  const events = await sandbox.events()
  const redeemed = events.find(({ type }) => type === 'coupon.updated')
  assert.equal([redeemed?.created, redeemed?.test_clock], [START + 5, null])
  await assertSound(sandbox)
})

test.run()
