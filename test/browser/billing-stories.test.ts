import type { Browser, Page } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { pay, press, withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'

const VISA = '4242424242424242'
const SCA = '4000000000003220'
/** 1 January 2026. */
const JANUARY = 1_767_225_600

/** Returns for each label of a list whether the label is nearer to its list than to the element before it. */
const LABELS_BELONG_TO_LISTS = `[...document.querySelectorAll('.schedule:has(+ .lines)')].map((label) => {
  const box = label.getBoundingClientRect()
  const below = label.nextElementSibling.getBoundingClientRect().top - box.bottom
  return below < box.top - label.previousElementSibling.getBoundingClientRect().bottom
})`

const test = suite('browser/billing-stories', undefined, 60_000)

type Terms = ParamsOf<typeof api.checkoutSessions.create>['subscription_data']
type Period = NonNullable<ParamsOf<typeof api.testClocks.advance>['by']>

/** A customer on a test clock with a subscription. */
interface StorySubscription {
  readonly clock: string
  readonly customer: string
  readonly subscription: string
}

let daemon: TestDaemon
let browser: Browser
let shopUrl: string

test.before(async () => {
  ;[daemon, browser] = await Promise.all([openDaemon(), launchBrowser()])
  shopUrl = `${daemon.location.api_url}/docs/errors`
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

/** Creates a customer on a new test clock. */
async function createCustomer(): Promise<Omit<StorySubscription, 'subscription'>> {
  const clock = (await daemon.call(api.testClocks.create, { frozen_time: JANUARY })).id
  const fields = { email: 'ada@example.com', name: 'Ada', test_clock: clock }
  return { clock, customer: (await daemon.call(api.customers.create, fields)).id }
}

/** Creates a customer who completes a checkout session with these terms. */
async function subscribe(test_card: string, terms: Partial<Terms> = {}): Promise<StorySubscription> {
  const { clock, customer } = await createCustomer()
  const items = [{ description: 'Monthly plan', price_data: { amount: 1000, tax_percent: 19 } }]
  const { id } = await daemon.call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', subscription_data: { interval: 'month', items, ...terms } },
  })
  await daemon.call(api.checkoutSessions.complete, { id, test_card })
  const { data } = await daemon.call(api.subscriptions.list, { customer })
  return { clock, customer, subscription: data[0]?.id ?? '' }
}

async function advance({ clock }: StorySubscription, by: Period): Promise<void> {
  await daemon.call(api.testClocks.advance, { id: clock, by })
}

const MONTH: Period = { interval: 'month', count: 1 }

const statusOf = async ({ subscription: id }: StorySubscription) =>
  (await daemon.call(api.subscriptions.retrieve, { id })).status

/** Returns the invoices of a subscription, oldest first. */
async function invoicesOf({ subscription }: StorySubscription) {
  return (await daemon.call(api.invoices.list, { subscription })).data.toReversed()
}

/** Returns the status and the total of each invoice, oldest first. */
async function totalsOf(owner: StorySubscription): Promise<string[]> {
  return (await invoicesOf(owner)).map(({ status, total }) => `${status} ${total}`)
}

/** Asserts that the card of a charge is declined. */
async function expectDecline(charge: Promise<unknown>): Promise<void> {
  const error = await charge.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ApiError && error.status === 402, String(error))
}

function visit(url: string | null | undefined, work: (page: Page) => Promise<void>): Promise<void> {
  return withPage(browser, {}, async (page) => {
    await page.goto(url ?? '')
    await work(page)
  })
}

test('recovers a subscription whose first charge after a trial is declined, with a card from the page', async () => {
  const owner = await subscribe('renewal_no_funds', { trial_days: 14 })
  assert.is(await statusOf(owner), 'trialing')
  await advance(owner, { interval: 'day', count: 15 })
  assert.is(await statusOf(owner), 'past_due')
  const { customer } = owner
  const session = await daemon.call(api.cardSessions.create, { customer, return_url: shopUrl })
  await visit(session.url, async (page) => {
    assert.equal(await page.evaluate(LABELS_BELONG_TO_LISTS), [true, true, true])
    await pay(page, cardFields(VISA))
    await page.waitForURL(shopUrl)
  })
  assert.is(await statusOf(owner), 'active')
  await advance(owner, MONTH)
  assert.equal(await totalsOf(owner), ['paid 0', 'paid 1190', 'paid 1190'])
  const { data } = await daemon.call(api.events.list, { object_id: owner.subscription })
  assert.equal(data.map(({ type }) => type).toReversed(), [
    'subscription.created',
    'subscription.trial_will_end',
    'subscription.started',
    'subscription.past_due',
    'subscription.updated',
    'subscription.recovered',
    'subscription.renewed',
  ])
})

test('charges the next renewal with the card that paid a past due invoice on its page', async () => {
  const owner = await subscribe('renewal_no_funds')
  await advance(owner, MONTH)
  assert.is(await statusOf(owner), 'past_due')
  const [, open] = await invoicesOf(owner)
  await visit(open?.hosted_invoice_url, async (page) => {
    assert.ok(await page.getByLabel('Use this card from now on').isChecked())
    await pay(page, cardFields(VISA))
    assert.is(await page.textContent('h1'), 'Invoice paid')
  })
  assert.is(await statusOf(owner), 'active')
  await advance(owner, MONTH)
  assert.equal(await totalsOf(owner), ['paid 1190', 'paid 1190', 'paid 1190'])
})

test('charges a saved card off session, and on session after 3-D Secure', async () => {
  const { customer } = await createCustomer()
  const sale = { customer, amount: 4500, currency: 'eur' }
  /** Pays on the page of a session and returns the id of the card that it saves. */
  const saveCard = async (number: string): Promise<string> => {
    const { id, url } = await daemon.call(api.paymentSessions.create, {
      ...{ ...sale, payment_method_types: ['card'], save_payment_method: true, return_url: shopUrl },
    })
    await visit(url, async (page) => {
      await pay(page, cardFields(number))
      if (number === SCA) await press(page, page.getByRole('button', { name: 'Approve' }))
      await page.waitForURL(shopUrl)
    })
    return (await daemon.call(api.paymentSessions.retrieve, { id })).payment_method ?? ''
  }
  await saveCard(VISA)
  assert.is((await daemon.call(api.payments.create, sale)).status, 'succeeded')
  const withSca = { ...sale, payment_method: await saveCard(SCA) }
  await expectDecline(daemon.call(api.payments.create, withSca))
  await expectDecline(daemon.call(api.payments.create, { ...withSca, off_session: false }))
  const [waiting] = (await daemon.call(api.payments.list, { customer })).data
  assert.is(waiting?.status, 'requires_action')
  await visit(waiting?.next_action?.redirect_to_url.url, async (page) => {
    await press(page, page.getByRole('button', { name: 'Approve' }))
  })
  assert.is((await daemon.call(api.payments.retrieve, { id: waiting?.id ?? '' })).status, 'succeeded')
})

test('reserves an amount on the page after 3-D Secure, and shows a receipt once a part is captured', async () => {
  const { customer } = await createCustomer()
  const terms = { amount: 4500, currency: 'eur', capture_method: 'manual' } as const
  const session = await daemon.call(api.paymentSessions.create, { customer, ...terms })
  await visit(session.url, async (page) => {
    await page.getByText('only reserved on your card').waitFor()
    await pay(page, cardFields(SCA))
    await press(page, page.getByRole('button', { name: 'Approve' }))
    await page.getByRole('heading', { name: 'Amount reserved' }).waitFor()
    assert.is(await page.getByRole('link', { name: 'Download PDF' }).count(), 0)
    const { payment, payment_status } = await daemon.call(api.paymentSessions.retrieve, { id: session.id })
    assert.is(payment_status, 'unpaid')
    await daemon.call(api.payments.capture, { id: payment ?? '', amount: 3000 })
    await page.reload()
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    assert.is(await page.locator('main .price').textContent(), '€30.00')
    await page.getByRole('link', { name: 'Download PDF' }).waitFor()
  })
})

test.run()
