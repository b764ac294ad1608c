import { api } from '../../src/api/api.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, subscribe } from '../support/billing.ts'
import { liveCustomer } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
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

test('drafts of a price change and its reversal never credit the same period twice', async () => {
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

test('a change after the draft of an earlier change was voided credits the price before both changes', async () => {
  const sandbox = createSandbox()
  const { id } = await pausedSubscription(sandbox)
  assert.is(await changePrice(sandbox, id, 2000), 595)
  const draft = (await invoicesOf(sandbox, id)).at(-1)?.id ?? ''
  await sandbox.call(api.invoices.void, { id: draft })
  assert.is(await changePrice(sandbox, id, 3000), 1190)
})

/** May 2024, whose middle is noon on May 16. */
const MAY = { start: Date.UTC(2024, 4, 1) / 1000, half: 15.5 * DAY }

/** Subscribes to three seats at 10.00 a month, and advances to the middle of May, whose invoice is a draft. */
async function subscribeWithDraft(sandbox: Sandbox, behavior: 'keep_as_draft' | 'mark_uncollectible') {
  await sandbox.moveTo(Date.UTC(2024, 3, 1) / 1000)
  const items = [{ description: 'Seat', price_data: { amount: 1000 }, quantity: 3 }]
  const { id, items: created } = await subscribe(sandbox, { items })
  await sandbox.call(api.subscriptions.update, { id, pause_collection: { behavior } })
  await sandbox.moveTo(MAY.start + MAY.half)
  await sandbox.call(api.subscriptions.update, { id, pause_collection: null })
  const draft = (await invoicesOf(sandbox, id)).at(-1)?.id ?? ''
  return { id, draft, item: created[0]?.id ?? '' }
}

async function change(sandbox: Sandbox, id: string, item: object): Promise<void> {
  await sandbox.call(api.subscriptions.update, { id, items: [item] as [{ id: string }] })
}

/** Returns the amounts of the pending invoice items, oldest first. */
async function pendingAmounts(sandbox: Sandbox, subscription: string): Promise<number[]> {
  const { data } = await sandbox.call(api.invoiceItems.list, { subscription })
  return data
    .filter(({ invoice }) => invoice === null)
    .map(({ amount }) => amount)
    .reverse()
}

for (const behavior of ['keep_as_draft', 'mark_uncollectible'] as const) {
  test(`a change credits the invoice of a period that was paused with ${behavior}`, async () => {
    const sandbox = createSandbox()
    const { id, item } = await subscribeWithDraft(sandbox, behavior)
    await change(sandbox, id, { id: item, quantity: 5 })
    assert.equal(await pendingAmounts(sandbox, id), [-1500, 2500])
  })
}

test('a change of the tax rate credits a draft and bills the remaining period only once', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeWithDraft(sandbox, 'keep_as_draft')
  await change(sandbox, id, { id: item, price_data: { amount: 1000, tax_percent: 10 } })
  assert.equal(await pendingAmounts(sandbox, id), [-1500, 1500])
})

test('in a period with a draft, the prorations of changes that restore the quantity add up to 0', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeWithDraft(sandbox, 'keep_as_draft')
  for (const quantity of [5, 2, 3]) await change(sandbox, id, { id: item, quantity })
  const sum = (await pendingAmounts(sandbox, id)).reduce((total, amount) => total + amount, 0)
  assert.is(sum, 0)
})

test('voiding a draft adds a pending charge for the credits of later changes', async () => {
  const sandbox = createSandbox()
  const { id, draft, item } = await subscribeWithDraft(sandbox, 'keep_as_draft')
  await change(sandbox, id, { id: item, quantity: 5 })
  await sandbox.call(api.invoices.void, { id: draft })
  assert.equal(await pendingAmounts(sandbox, id), [-1500, 2500, 1500], 'only five seats from now on are owed')
  await change(sandbox, id, { id: item, quantity: 4 })
  assert.equal((await pendingAmounts(sandbox, id)).slice(3), [-2500, 2000], 'later changes credit as before')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('voiding a draft after its credit was billed charges the credit with the next invoice', async () => {
  const sandbox = createSandbox()
  const { id, draft, item } = await subscribeWithDraft(sandbox, 'keep_as_draft')
  await change(sandbox, id, { id: item, quantity: 5 })
  await sandbox.advance(31 * DAY)
  await sandbox.call(api.invoices.void, { id: draft })
  assert.equal(await pendingAmounts(sandbox, id), [1500])
  const { total } = await sandbox.call(api.subscriptions.preview, { id })
  assert.is(total, 6500)
})

test('a credited draft cannot be voided after the end of its subscription', async () => {
  const sandbox = createSandbox()
  const { id, draft } = await subscribeWithDraft(sandbox, 'keep_as_draft')
  await sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now: true })
  const { code, message } = await catchDomainError(sandbox.call(api.invoices.void, { id: draft }))
  assert.is(code, 'invoice_unexpected_state')
  assert.match(
    message,
    /later changes are based on this invoice.*Finalize it and mark it as uncollectible instead\.$/,
  )
})

test('voiding an invoice that no change credited creates no invoice item', async () => {
  const sandbox = createSandbox()
  const { id, draft } = await subscribeWithDraft(sandbox, 'keep_as_draft')
  await sandbox.call(api.invoices.void, { id: draft })
  assert.equal(await pendingAmounts(sandbox, id), [])
})

test.run()
