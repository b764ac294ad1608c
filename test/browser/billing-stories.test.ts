import { pay } from '../pages/browser-session.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'
import { BillingStories } from './billing-story.ts'

const VISA = '4242424242424242'

const test = suite('browser/billing-stories', undefined, 120_000)

let stories: BillingStories

test.before(async () => {
  stories = await BillingStories.open()
})

test.after(() => stories?.close())

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
