import { api } from '../../../src/api/api.ts'
import type { CompletableSession } from '../../../src/domain/completion/hosted-session.ts'
import type { Customer } from '../../../src/domain/payments/customers.ts'
import type { PageResponse } from '../../../src/pages/forms/page-response.ts'
import { subscribe, toNextPeriod } from '../../support/billing.ts'
import { newCardSession, newCustomer } from '../../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, NOW, pathOf, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('payment-form')

const NOTE = 'The price or the terms have changed'
const SCA = card('4000000000003220')
const SLOW = card('4000009000000060')

async function setCredit({ runtime }: HostedPages, customer: Customer, eur: number): Promise<void> {
  const put: Customer = { ...customer, balances: eur === 0 ? {} : { eur } }
  await runtime.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
}

async function paymentsOf({ runtime }: HostedPages): Promise<string[]> {
  const { data } = await runtime.store.list('payments', { limit: 100 })
  return data.map(({ status, amount }) => `${status} ${amount}`).reverse()
}

/** Opens the page of a checkout session whose customer has a credit of 400.00 EUR of the price of 1200.00 EUR. */
async function openWithCredit(fields: object = {}) {
  const hosted = new HostedPages()
  const customer = await hosted.customer({ balances: { eur: -40_000 } })
  const session = await hosted.checkout({}, fields, customer)
  const path = pathOf(session)
  const { body } = await hosted.get(path)
  assert.match(body, 'Pay €800.00 and subscribe')
  return { hosted, customer, session, path, form_token: tokenIn(body) }
}

function assertChanged({ status, body }: Pick<PageResponse, 'status'> & { readonly body: string }): void {
  assert.is(status, 422)
  assert.match(body, NOTE)
  assert.match(body, 'Nothing was charged.')
}

test('shows the new price of a session whose credit was used, and charges it only after another confirmation', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  await setCredit(hosted, customer, 0)
  const again = await hosted.post(path, { ...VISA, form_token })
  assertChanged(again)
  assert.match(again.body, 'Pay €1,200.00 and subscribe')
  assert.equal(await paymentsOf(hosted), [])
  assertChanged(await hosted.post(path, { ...VISA, form_token }))
  assert.is((await hosted.post(path, { ...VISA, form_token: tokenIn(again.body) })).status, 303)
  assert.equal(await paymentsOf(hosted), ['succeeded 120000'])
})

test('requires a second confirmation even for a lower price', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  await setCredit(hosted, customer, -50_000)
  assertChanged(await hosted.post(path, { ...VISA, form_token }))
})

test('redirects a browser to the form with the notice and the entered name', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  await setCredit(hosted, customer, 0)
  const location = await hosted.browse(path, { ...VISA, name: 'Ada', form_token })
  const { status, body } = await hosted.follow(location)
  assert.is(status, 200)
  for (const text of [NOTE, 'value="Ada"', 'Pay €1,200.00 and subscribe']) assert.match(body, text)
  assert.not.match(body, '4242424242424242')
})

test('shows the notice in the language of the page', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  await setCredit(hosted, customer, 0)
  const form = { ...VISA, form_token }
  const { body } = await hosted.serve({ method: 'POST', path, query: 'lang=de', form, accept: '*/*' })
  assert.match(body, 'Preis oder Bedingungen haben sich geändert')
})

/** ended part of the terms, subscription terms, session fields, seconds until the end, button before and after the end */
const ENDS: readonly (readonly [string, object, object, number, string, string])[] = [
  ['a trial', { trial_end: NOW + 60 }, {}, 60, 'Start trial', 'Pay €1,200.00 and subscribe'],
  [
    'a trial without a card',
    { trial_end: NOW + 60 },
    { payment_method_collection: 'if_required' },
    60,
    'Start trial',
    'Pay €1,200.00 and subscribe',
  ],
  [
    'the wait for a start date',
    { start_date: NOW + 60 },
    {},
    60,
    'Save card and subscribe',
    'Pay €1,200.00 and subscribe',
  ],
  [
    'the period of a start date',
    { start_date: NOW - 6 * DAY, interval: 'week' },
    {},
    DAY,
    'Pay €1,200.00 and subscribe',
    'Pay €1,200.00 and subscribe',
  ],
]

for (const [what, terms, fields, seconds, before, after] of ENDS) {
  test(`charges nothing when ${what} ended while the page was open`, async () => {
    const hosted = new HostedPages()
    const path = pathOf(await hosted.checkout(terms, { expires_at: NOW + 3 * DAY, ...fields }))
    const { body } = await hosted.get(path)
    assert.match(body, `>${before}<`)
    hosted.now = NOW + seconds
    const again = await hosted.post(path, { ...VISA, form_token: tokenIn(body) })
    assertChanged(again)
    assert.match(again.body, `>${after}<`)
    assert.equal(await paymentsOf(hosted), [])
  })
}

test('accepts a form an hour later if the terms have not changed', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout({ trial_days: 14 }))
  const { body } = await hosted.get(path)
  hosted.now = NOW + 3600
  assert.is((await hosted.post(path, { ...VISA, form_token: tokenIn(body) })).status, 303)
})

test('the wallet charges nothing when the price changed after its sheet was shown', async () => {
  const { hosted, customer, path } = await openWithCredit({ payment_method_types: ['card', 'wallet'] })
  const { body } = await hosted.get(`${path}/wallet`)
  await setCredit(hosted, customer, 0)
  const form = { answer: 'approve', form_token: tokenIn(body) }
  assertChanged(await hosted.post(`${path}/wallet`, form))
  assert.equal(await paymentsOf(hosted), [])
})

test('3-D Secure charges nothing when the price changed before the approval', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  const bank = locationOf(await hosted.post(path, { ...SCA, form_token }))
  const { body } = await hosted.get(bank)
  await setCredit(hosted, customer, 0)
  const again = await hosted.post(bank, { answer: 'approve', form_token: tokenIn(body) })
  assertChanged(again)
  assert.match(again.body, 'Pay €1,200.00 and subscribe')
  assert.equal(await paymentsOf(hosted), ['requires_action 80000'])
  const next = await hosted.post(path, { ...SCA, form_token: tokenIn(again.body) })
  await hosted.submit(locationOf(next), { answer: 'approve' })
  assert.equal(await paymentsOf(hosted), ['canceled 80000', 'succeeded 120000'])
})

test('redirects a browser from 3-D Secure to the form with the notice', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  const bank = locationOf(await hosted.post(path, { ...SCA, form_token }))
  const { body } = await hosted.get(bank)
  await setCredit(hosted, customer, 0)
  const location = await hosted.browse(bank, { answer: 'approve', form_token: tokenIn(body) })
  assert.ok(location.startsWith(`${path}?`))
  assert.match((await hosted.follow(location)).body, NOTE)
})

test('3-D Secure still accepts a rejection after the price changed', async () => {
  const { hosted, customer, path, form_token } = await openWithCredit()
  const bank = locationOf(await hosted.post(path, { ...SCA, form_token }))
  const { body } = await hosted.get(bank)
  await setCredit(hosted, customer, 0)
  assert.is((await hosted.post(bank, { answer: 'reject', form_token: tokenIn(body) })).status, 303)
  assert.equal(await paymentsOf(hosted), ['failed 80000'])
})

test('3-D Secure for saving a card charges nothing when the trial ended before the approval', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout({ trial_end: NOW + 60 }))
  const bank = locationOf(await hosted.submit(path, SCA))
  const { body } = await hosted.get(bank)
  hosted.now = NOW + 60
  assertChanged(await hosted.post(bank, { answer: 'approve', form_token: tokenIn(body) }))
  assert.equal(await paymentsOf(hosted), [])
})

test('cancels a payment when the issuer decides after a price change, and the form shows the cancellation', async () => {
  const { hosted, customer, path, form_token, session } = await openWithCredit()
  await hosted.post(path, { ...SLOW, form_token })
  await setCredit(hosted, customer, 0)
  hosted.now = NOW + 10
  await hosted.get(path)
  const done = await hosted.serve({ path: `${path}/done`, accept: 'text/html,*/*;q=0.8' })
  assert.match((await hosted.follow(locationOf(done))).body, NOTE)
  assert.equal(await paymentsOf(hosted), ['canceled 80000'])
  const stored = await hosted.runtime.store.get('checkout_sessions', session.id)
  assert.is(stored?.status, 'open')
})

test('a card session charges nothing when another invoice became open after its page was shown', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await subscribe(sandbox, { customer, card: 'renewal_no_funds', interval: 'day' })
  await toNextPeriod(sandbox, id)
  const session: CompletableSession = await newCardSession(sandbox, {
    customer,
    expires_at: sandbox.now() + 30 * DAY,
  })
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const path = pathOf(session)
  const { body } = await hosted.get(path)
  assert.match(body, 'Save card and pay €1,200.00')
  await sandbox.advance(DAY)
  const again = await hosted.post(path, { ...VISA, form_token: tokenIn(body) })
  assertChanged(again)
  assert.match(again.body, 'Save card and pay €2,400.00')
  const { data } = await sandbox.call(api.invoices.list, { status: 'open' })
  assert.is(data.length, 2)
})

test.run()
