import { api } from '../../src/api/api.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, subscribe } from '../support/billing.ts'
import { liveCustomer } from '../support/samples.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/prorated-drafts')

/** Creates a weekly subscription at 10.00 plus 19 % tax, halfway through its period, whose new invoices stay drafts. */
async function pausedSubscription(sandbox: Sandbox) {
  const items = [{ description: 'Seat', price_data: { amount: 1000, tax_percent: 19 } }]
  const subscription = await subscribe(sandbox, { interval: 'week', items })
  await sandbox.advance(3.5 * DAY)
  const pause_collection = { behavior: 'keep_as_draft' } as const
  return sandbox.call(api.subscriptions.update, { id: subscription.id, pause_collection })
}

/** Changes the price and invoices the change. Returns the total of the draft. */
async function changePrice(sandbox: Sandbox, id: string, amount: number): Promise<number | undefined> {
  const { items } = await sandbox.call(api.subscriptions.retrieve, { id })
  const change = [{ id: items[0]?.id ?? '', price_data: { amount } }]
  await sandbox.call(api.subscriptions.update, {
    id,
    items: change,
    proration_behavior: 'always_invoice',
  })
  return (await invoicesOf(sandbox, id)).at(-1)?.total
}

test('drafts of changes there and back never credit the same time twice', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await pausedSubscription(sandbox)
  const totals: unknown[] = []
  for (const amount of [500, 1000, 500, 1000, 500]) totals.push(await changePrice(sandbox, id, amount))
  assert.equal(totals, [-297, 297, -297, 297, -297])
  for (const invoice of await invoicesOf(sandbox, id))
    if (invoice.status === 'draft') await sandbox.call(api.invoices.finalize, { id: invoice.id })
  const { balances } = await liveCustomer(sandbox, customer)
  const owed = (await invoicesOf(sandbox, id)).reduce(
    (sum, { amount_remaining }) => sum + amount_remaining,
    0,
  )
  assert.is((balances.eur ?? 0) + owed, -297)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a void draft of a change does not count', async () => {
  const sandbox = createSandbox()
  const { id } = await pausedSubscription(sandbox)
  assert.is(await changePrice(sandbox, id, 2000), 595)
  const draft = (await invoicesOf(sandbox, id)).at(-1)?.id ?? ''
  await sandbox.call(api.invoices.void, { id: draft })
  assert.is(await changePrice(sandbox, id, 3000), 1190)
})

test.run()
