import { createCheckoutSession } from '../../../src/domain/sessions/checkout-sessions.ts'
import { redeemCoupon } from '../../../src/domain/sessions/discounts.ts'
import { commit } from '../../../src/engine/commit.ts'
import { findActivePromotionCode, loadPromotionCodeRedemption } from '../../../src/engine/load-redemption.ts'
import { REAL_TIME } from '../../../src/engine/time-reference.ts'
import { assert, suite } from '../../support/suite.ts'
import { CODES_ALLOWED, createCode, enterCode } from '../coupon-scenes.ts'
import { card, HostedPages, NOW, pathOf, textOf, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('pages/promotion-code-handler')

async function openCheckout(coupon: object = {}, code: object = {}) {
  const hosted = new HostedPages()
  const created = await createCode(hosted, coupon, code)
  const session = await hosted.checkout({}, CODES_ALLOWED)
  return { hosted, session, path: pathOf(session), code: created }
}

/** Redeems the code for another customer. */
async function exhaust(hosted: HostedPages): Promise<void> {
  await commit(hosted.runtime, {
    request: null,
    when: () => REAL_TIME,
    load: async (reader) => {
      const code = await findActivePromotionCode(reader, 'SPRING-25')
      if (code === null) throw new Error('the code does not exist')
      return loadPromotionCodeRedemption(reader, code, 'cus_other')
    },
    decide: (redemption, context) => ({
      changes: redeemCoupon(redemption, { test_clock: null }, context),
      result: null,
    }),
  })
}

async function stored({ runtime }: HostedPages, id: string) {
  return runtime.store.get('checkout_sessions', id)
}

test('offers a promotion code only in sessions that allow promotion codes', async () => {
  const hosted = new HostedPages()
  const session = await hosted.checkout()
  assert.not.match((await hosted.get(pathOf(session))).body, 'promotion_code')
  assert.is((await hosted.post(`${pathOf(session)}/promotion_code`, { code: 'X' })).status, 200)
  const allowed = await hosted.checkout({}, CODES_ALLOWED)
  assert.match(textOf((await hosted.get(pathOf(allowed))).body), 'Promotion code')
})

test('charges the discounted price that the page shows after a code is entered', async () => {
  const { hosted, session, path, code } = await openCheckout()
  assert.is((await enterCode(hosted, path, ' spring-25 ')).status, 303)
  const text = textOf((await hosted.get(path)).body)
  for (const part of [
    'Discount Spring offer 25% for 3 months -€250.00',
    'Tax 20% €150.00',
    'Total due today €900.00',
    'SPRING-25',
    'Pay €900.00 and subscribe',
    'charged €1,200.00 every month',
  ])
    assert.match(text, part)
  assert.is((await stored(hosted, session.id))?.amount_total, 120_000, 'the session has changed too early')
  assert.is((await hosted.submit(path, VISA)).status, 303)
  const complete = await stored(hosted, session.id)
  assert.equal(complete?.discounts, [{ coupon: code.coupon, promotion_code: code.id }])
  const payment = await hosted.runtime.store.get('payments', complete?.payment ?? '')
  assert.equal([complete?.amount_total, payment?.amount], [90_000, 90_000])
  const receipt = textOf((await hosted.get(`${path}/done`)).body)
  for (const part of ['Discount Spring offer 25% -€250.00', 'Total €900.00', '€1,200.00 every month'])
    assert.match(receipt, part)
})

test('removes a code, and rejects the form of the page that showed the discounted price', async () => {
  const { hosted, session, path } = await openCheckout()
  await enterCode(hosted, path, 'SPRING-25')
  const form_token = tokenIn((await hosted.get(path)).body)
  const removed = await hosted.post(`${path}/promotion_code`, { form_token, remove: '1', code: 'SPRING-25' })
  assert.is(removed.status, 303)
  assert.match(textOf((await hosted.get(path)).body), 'Total due today €1,200.00')
  const { status, body } = await hosted.post(path, { ...VISA, form_token })
  assert.is(status, 422)
  assert.match(body, 'The price or the terms have changed')
  assert.is((await stored(hosted, session.id))?.status, 'open')
})

/** Columns: cause, coupon, code, entered text, message. */
const ERRORS: readonly (readonly [string, object, object, string, string])[] = [
  ['unknown', {}, {}, 'AUTUMN', 'This promotion code is not valid.'],
  ['expired', {}, { expires_at: NOW }, 'SPRING-25', 'This promotion code has expired.'],
  [
    'used up',
    {},
    { max_redemptions: 1, times_redeemed: 1 },
    'SPRING-25',
    'This promotion code has been used up.',
  ],
  [
    'of another currency',
    { amount_off: 5, currency: 'usd' },
    {},
    'SPRING-25',
    'does not apply to this subscription',
  ],
  ['not readable', {}, {}, '<b>"', 'This promotion code is not valid.'],
]

for (const [what, coupon, code, entered, message] of ERRORS) {
  test(`rejects a code that is ${what} with 422 and keeps the price`, async () => {
    const { hosted, path } = await openCheckout(coupon, code)
    if ('times_redeemed' in code) await exhaust(hosted)
    const { status, body } = await enterCode(hosted, path, entered)
    assert.is(status, 422)
    assert.match(textOf(body), message)
    assert.match(textOf(body), 'Total due today €1,200.00')
    assert.match(body, 'id="code-error"')
    assert.not.match(body, '<b>"')
  })
}

test('shows the error to a browser after a redirect, so that a reload submits nothing', async () => {
  const { hosted, path } = await openCheckout()
  const form_token = tokenIn((await hosted.get(path)).body)
  const location = await hosted.browse(`${path}/promotion_code`, { form_token, code: 'AUTUMN' })
  const { body } = await hosted.follow(location)
  assert.match(body, 'This promotion code is not valid.')
  assert.match(body, 'value="AUTUMN"')
})

test('charges nothing when the code reaches its limit while the page is open', async () => {
  const { hosted, session, path } = await openCheckout({ max_redemptions: 1 })
  await enterCode(hosted, path, 'SPRING-25')
  const form_token = tokenIn((await hosted.get(path)).body)
  await exhaust(hosted)
  const { status, body } = await hosted.post(path, { ...VISA, form_token })
  assert.is(status, 422)
  for (const part of [
    'This promotion code has been used up.',
    'Total due today €1,200.00',
    'Nothing was charged',
  ])
    assert.match(textOf(body), part)
  assert.is((await stored(hosted, session.id))?.status, 'open')
  await hosted.submit(path, VISA)
  const complete = await stored(hosted, session.id)
  assert.equal([complete?.status, complete?.discounts, complete?.amount_total], ['complete', [], 120_000])
})

/** Opens a checkout session that the merchant created with the promotion code SPRING-25. */
async function openDiscounted(code: object) {
  const hosted = new HostedPages()
  await createCode(hosted, {}, code)
  const customer = await hosted.customer()
  const items = [{ description: 'Rent', price_data: { amount: 1000 } }]
  const terms = { interval: 'month' as const, items }
  const fields = { currency: 'eur', customer: customer.id, subscription_data: terms }
  const promotionCode = await findActivePromotionCode(hosted.runtime.store, 'SPRING-25')
  if (promotionCode === null) throw new Error('the code does not exist')
  const redemption = await loadPromotionCodeRedemption(hosted.runtime.store, promotionCode, customer.id)
  const session = await hosted.create((context) =>
    createCheckoutSession(fields, customer, context, redemption),
  )
  const path = pathOf(session)
  return { hosted, customer, session, path, form_token: tokenIn((await hosted.get(path)).body) }
}

async function assertDiscountLost({
  hosted,
  session,
  path,
  form_token,
}: Awaited<ReturnType<typeof openDiscounted>>) {
  for (const token of [form_token, null]) {
    const { status, body } = await (token === null
      ? hosted.submit(path, VISA)
      : hosted.post(path, { ...VISA, form_token: token }))
    assert.is(status, 422)
    assert.match(body, 'The discount is no longer available')
  }
  assert.match((await hosted.get(path)).body, 'The discount is no longer available')
  assert.is((await stored(hosted, session.id))?.status, 'open')
}

test('keeps a session open when the discount of the merchant reaches its limit while the page is open', async () => {
  const opened = await openDiscounted({ max_redemptions: 1 })
  await exhaust(opened.hosted)
  await assertDiscountLost(opened)
})

test('keeps a session open when its discount is for first purchases and the customer made a purchase meanwhile', async () => {
  const opened = await openDiscounted({ first_time_only: true })
  const { hosted, customer } = opened
  const other = await hosted.checkout({}, {}, customer)
  assert.is((await hosted.submit(pathOf(other), VISA)).status, 303)
  await assertDiscountLost(opened)
})

test('cancels a 3-D Secure payment whose code reaches its limit before the confirmation', async () => {
  const { hosted, session, path } = await openCheckout({ max_redemptions: 1 })
  await enterCode(hosted, path, 'SPRING-25')
  const challenge = await hosted.submit(path, card('4000000000003220'))
  const target = challenge.headers['Location'] ?? ''
  const form_token = tokenIn((await hosted.get(target)).body)
  await exhaust(hosted)
  const { body } = await hosted.post(target, { form_token, answer: 'approve' })
  assert.match(body, 'The price or the terms have changed')
  assert.is((await stored(hosted, session.id))?.status, 'open')
})

test('a discount of 100 % saves the card and charges nothing today', async () => {
  const { hosted, session, path } = await openCheckout({ percent_off: 100, duration: 'once' })
  await enterCode(hosted, path, 'SPRING-25')
  const text = textOf((await hosted.get(path)).body)
  for (const part of [
    'Total due today €0.00',
    'first payment only',
    'the discount covers the amount',
    'Save card',
  ])
    assert.match(text, part)
  await hosted.submit(path, VISA)
  const complete = await stored(hosted, session.id)
  assert.equal([complete?.payment_status, complete?.payment], ['no_payment_required', null])
})

test.run()
