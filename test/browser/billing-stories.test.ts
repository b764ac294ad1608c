import { pay, press } from '../pages/browser-session.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'
import { BillingStories } from './billing-story.ts'

const VISA = '4242424242424242'
const SCA = '4000000000003220'
/** The exit code of a declined card. */
const DECLINED = 6

/** Returns for each label of a list whether the label is nearer to its list than to the element before it. */
const LABELS_BELONG_TO_LISTS = `[...document.querySelectorAll('.schedule:has(+ .lines)')].map((label) => {
  const box = label.getBoundingClientRect()
  const below = label.nextElementSibling.getBoundingClientRect().top - box.bottom
  return below < box.top - label.previousElementSibling.getBoundingClientRect().bottom
})`

const test = suite('browser/billing-stories', undefined, 120_000)

let stories: BillingStories

test.before(async () => {
  stories = await BillingStories.open()
})

test.after(() => stories?.close())

test('recovers a subscription whose first charge after a trial is declined, with a card from the page', async () => {
  const owner = await stories.subscribe({ card: 'renewal_no_funds', flags: ['--trial-days', '14'] })
  assert.is(await stories.statusOf(owner), 'trialing')
  await stories.advance(owner, '15d')
  assert.is(await stories.statusOf(owner), 'past_due')
  const page = ['cards', 'update', '--customer', owner.customer, '--return-url', stories.shopUrl]
  await stories.visit(await stories.field('url', ...page), async (page) => {
    assert.equal(await page.evaluate(LABELS_BELONG_TO_LISTS), [true, true])
    await pay(page, cardFields(VISA))
    await page.waitForURL(`${stories.shopUrl}/`)
  })
  assert.is(await stories.statusOf(owner), 'active')
  await stories.advance(owner, '1mo')
  const invoices = await stories.invoicesOf(owner)
  assert.equal(
    invoices.map(({ status, total }) => `${status} ${total}`),
    ['paid 0', 'paid 1190', 'paid 1190'],
  )
  const types = (await stories.timelineOf(owner.subscription)).filter((type) => /^subscription/.test(type))
  assert.equal(types, [
    'subscription.created',
    'subscription.trial_will_end',
    'subscription.started',
    'subscription.past_due',
    'subscription.updated',
    'subscription.recovered',
    'subscription.renewed',
  ])
})

test('charges the renewal after a past due invoice was paid with a card to use from now on', async () => {
  const owner = await stories.subscribe({ card: 'renewal_no_funds' })
  await stories.advance(owner, '1mo')
  assert.is(await stories.statusOf(owner), 'past_due')
  const [, open] = await stories.invoicesOf(owner)
  await stories.visit(open?.hosted_invoice_url ?? '', async (page) => {
    assert.ok(await page.getByLabel('Use this card from now on').isChecked())
    await pay(page, cardFields(VISA))
    assert.is(await page.textContent('h1'), 'Invoice paid')
  })
  assert.is(await stories.statusOf(owner), 'active')
  await stories.advance(owner, '1mo')
  const invoices = await stories.invoicesOf(owner)
  assert.equal(
    invoices.map(({ status }) => status),
    ['paid', 'paid', 'paid'],
  )
})

test('charges an upgrade in the middle of a period exactly as its preview says', async () => {
  const owner = await stories.subscribe({ at: '2026-04-01' })
  await stories.advance(owner, '15d')
  const item = await stories.field('items[0].id', 'subscriptions', 'retrieve', owner.subscription)
  const upgrade = ['--item', `${item}:amount=2000`, '--proration-behavior', 'always_invoice']
  const preview = ['subscriptions', 'preview', owner.subscription]
  assert.is(await stories.field('amount_due', ...preview, ...upgrade), '595')
  assert.is((await stories.invoicesOf(owner)).length, 1)
  await stories.run(['subscriptions', 'update', owner.subscription, ...upgrade])
  assert.is(await stories.field('amount_due', ...preview), '2380')
  await stories.advance(owner, '15d')
  const invoices = await stories.invoicesOf(owner)
  assert.equal(
    invoices.map(({ status, total }) => `${status} ${total}`),
    ['paid 1190', 'paid 595', 'paid 2380'],
  )
  await stories.visit(invoices[1]?.hosted_invoice_url ?? '', async (page) => {
    assert.is(await page.textContent('h1'), 'Invoice paid')
  })
})

test('charges a saved card off session, and on session after 3-D Secure', async () => {
  const { customer } = await stories.customer()
  const sale = ['--customer', customer, '--amount', '4500', '--currency', 'eur']
  const charge = ['payments', 'create', ...sale]
  /** Pays on the page of a session and returns the id of the card that it saves. */
  const saveCard = async (number: string): Promise<string> => {
    const flags = [...sale, '--save-payment-method', '--return-url', stories.shopUrl]
    const session = await stories.field('id', 'payment-sessions', 'create', ...flags)
    const retrieve = ['payment-sessions', 'retrieve', session]
    await stories.visit(await stories.field('url', ...retrieve), async (page) => {
      await pay(page, cardFields(number))
      if (number === SCA) await press(page, page.getByRole('button', { name: 'Approve' }))
      await page.waitForURL(`${stories.shopUrl}/`)
    })
    return stories.field('payment_method', ...retrieve)
  }
  await saveCard(VISA)
  assert.is(await stories.field('status', ...charge), 'succeeded')
  const withSca = [...charge, '--payment-method', await saveCard(SCA)]
  await stories.run(withSca, DECLINED)
  await stories.run([...withSca, '--on-session'], DECLINED)
  const [waiting] = JSON.parse(await stories.run(['payments', 'list', '--customer', customer, '--json'])).data
  assert.is(waiting.status, 'requires_action')
  await stories.visit(waiting.next_action.redirect_to_url.url, async (page) => {
    await press(page, page.getByRole('button', { name: 'Approve' }))
  })
  assert.is(await stories.field('status', 'payments', 'retrieve', waiting.id), 'succeeded')
})

test('charges nothing for two periods while collection is paused, then collects the drafts', async () => {
  const owner = await stories.subscribe()
  await stories.run(['subscriptions', 'pause', owner.subscription, '--behavior', 'keep_as_draft'])
  await stories.advance(owner, '2mo')
  const statuses = async () => (await stories.invoicesOf(owner)).map(({ status }) => status)
  assert.equal(await statuses(), ['paid', 'draft', 'draft'])
  assert.is(await stories.statusOf(owner), 'active')
  await stories.run(['subscriptions', 'resume', owner.subscription])
  await stories.advance(owner, '1mo')
  assert.equal(await statuses(), ['paid', 'draft', 'draft', 'paid'])
  const [, collected, paidByCustomer] = await stories.invoicesOf(owner)
  const finalize = ['invoices', 'finalize', collected?.id ?? '']
  assert.is(await stories.field('status', ...finalize, '--auto-advance'), 'paid')
  const url = await stories.field('hosted_invoice_url', 'invoices', 'finalize', paidByCustomer?.id ?? '')
  await stories.visit(url, async (page) => {
    await pay(page, cardFields(VISA))
    assert.is(await page.textContent('h1'), 'Invoice paid')
  })
  assert.equal(await statuses(), ['paid', 'paid', 'paid', 'paid'])
})

test.run()
