import { api } from '../../src/api/api.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../support/billing.ts'
import { START } from '../support/rule-context.ts'
import { CHECKOUT_URL, createSandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { challengeInvoice, createClockSandbox } from './clock-sandbox.ts'
import { card, HostedPages, invoicePathOf, locationOf, pathOf, VISA } from './hosted-pages.ts'

const test = suite('routes/origin-session')

const CHALLENGED = card('4000000000003220')
const BUSINESS = 'Northwind Rentals'

/** Returns the name in the header of a page, or null when it is only the word checkout. */
function merchantIn(body: string): string | null {
  return /<header class="top">.*?<bdi dir="auto">(.*?)<\/bdi>.*?<\/header>/s.exec(body)?.[1] ?? null
}

test('shows the business name on the session, 3-D Secure and result pages', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = { name: BUSINESS }
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const path = pathOf(session)
    const bank = locationOf(await hosted.submit(path, CHALLENGED))
    for (const page of [path, bank]) assert.is(merchantIn((await hosted.get(page)).body), BUSINESS)
    const done = locationOf(await hosted.submit(path, VISA))
    for (const page of [done, path, bank]) assert.is(merchantIn((await hosted.get(page)).body), BUSINESS)
  }
})

test('shows the business name on the invoice and its 3-D Secure page', async () => {
  const clocked = await createClockSandbox(START)
  const { invoice, path } = await challengeInvoice(clocked)
  const hosted = new HostedPages(CHECKOUT_URL, clocked.sandbox.runtime)
  hosted.pages.brand = { name: BUSINESS }
  const page = invoicePathOf(invoice)
  for (const one of [page, path]) assert.is(merchantIn((await hosted.get(one)).body), BUSINESS)
  await hosted.submit(path, { answer: 'approve' })
  for (const one of [page, `${path}/done`]) assert.is(merchantIn((await hosted.get(one)).body), BUSINESS)
})

test('shows the return_url host on the pages of a session without a business name', async () => {
  const hosted = new HostedPages()
  for (const [session, host] of [
    [await hosted.payment(), 'shop.example'],
    [await hosted.checkout(), null],
  ] as const) {
    const bank = locationOf(await hosted.submit(pathOf(session), CHALLENGED))
    for (const page of [pathOf(session), bank]) assert.is(merchantIn((await hosted.get(page)).body), host)
  }
})

test('shows the brand of the session that created the subscription on an invoice and its 3-D Secure page', async () => {
  for (const [changes, name, color] of [
    [{ return_url: 'https://shop.example/thanks' }, 'shop.example', null],
    [{ return_url: null }, null, null],
    [
      { branding: { business_name: 'Harbor Gym', logo: null, brand_color: '#7a3b1d' } },
      'Harbor Gym',
      '--fill:#7a3b1d',
    ],
  ] as const) {
    const sandbox = createSandbox()
    const { id, checkout_session } = await subscribe(sandbox, { card: 'sca_required' })
    const session = await sandbox.call(api.checkoutSessions.retrieve, { id: checkout_session })
    const put = { ...session, ...changes }
    await sandbox.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
    await toNextPeriod(sandbox, id)
    const { hosted_invoice_url } = await invoiceIn(sandbox, id, ['open'])
    const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
    const path = pathOf({ url: hosted_invoice_url ?? '' })
    const bank = locationOf(await hosted.submit(path, CHALLENGED))
    for (const page of [path, bank]) {
      const { body } = await hosted.get(page)
      assert.is(merchantIn(body), name)
      if (color !== null) assert.match(body, color)
    }
  }
})

test.run()
