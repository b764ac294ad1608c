import { api } from '../../src/api/api.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, type Order, subscribe, toNextPeriod } from '../support/billing.ts'
import { shortType } from '../support/lifecycle.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/subscription-endings')

type Subject = Pick<Subscription, 'id' | 'customer' | 'default_payment_method'>

/** A way in which a subscription with a pending fee of 25.00 EUR ends. */
interface Ending {
  readonly order?: Order
  /** Makes the subscription ready to end (default: nothing). The fee is added afterwards. */
  readonly prepare?: (sandbox: Sandbox, subject: Subject) => Promise<unknown>
  readonly fee?: number
  /** The days until the only retry of an invoice (default: 1). */
  readonly retryDays?: number
  readonly end: (sandbox: Sandbox, subject: Subject) => Promise<unknown>
}

const endPeriod = (sandbox: Sandbox, { id }: Subject) => toNextPeriod(sandbox, id)

/** Ends the subscription with its period. */
async function endWithPeriod(sandbox: Sandbox, subject: Subject): Promise<void> {
  await sandbox.call(api.subscriptions.update, { id: subject.id, cancel_at_period_end: true })
  await endPeriod(sandbox, subject)
}

const pause = (behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'): Ending => ({
  prepare: (sandbox, { id }) =>
    sandbox.call(api.subscriptions.update, { id, pause_collection: { behavior } }),
  end: endWithPeriod,
})

const DECLINED: Order = { card: 'renewal_no_funds' }

const ENDINGS: Readonly<Record<string, Ending>> = {
  'period end, active': { end: endWithPeriod },
  'period end, declined card': { order: DECLINED, end: endWithPeriod },
  'period end, invoice by email': {
    order: { collection_method: 'send_invoice', days_until_due: 60 },
    end: endWithPeriod,
  },
  'period end, credit': { fee: -2500, end: endWithPeriod },
  'period end, past due': { order: DECLINED, retryDays: 60, prepare: endPeriod, end: endWithPeriod },
  'period end, paused: keep_as_draft': pause('keep_as_draft'),
  'period end, paused: mark_uncollectible': pause('mark_uncollectible'),
  'period end, paused: void': pause('void'),
  'start date, pending': { order: { start_date: START + DAY }, end: endWithPeriod },
  'trial end, trialing': { order: { trial_days: 3 }, end: endWithPeriod },
  'trial end without a card': {
    order: { trial_days: 3, trial_settings: { missing_payment_method: 'cancel' } },
    prepare: async (sandbox, { default_payment_method }) =>
      sandbox.call(api.paymentMethods.detach, { id: default_payment_method ?? '' }),
    end: endPeriod,
  },
  'trial end by request': {
    order: { trial_days: 3 },
    end: (sandbox, { id }) =>
      sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true, trial_end: 'now' }),
  },
  'cancel with invoice_now': {
    end: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id, invoice_now: true }),
  },
  'cancel with invoice_now, paused': {
    ...pause('void'),
    end: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id, invoice_now: true }),
  },
  cancel: { end: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id }) },
  'cancel with prorate': {
    end: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id, prorate: true }),
  },
  'cancel, pending': {
    order: { start_date: START + DAY },
    end: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id }),
  },
  'cancel, trialing': {
    order: { trial_days: 3 },
    end: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id }),
  },
  'DELETE of the subscription': { end: (sandbox, { id }) => sandbox.call(api.subscriptions.delete, { id }) },
  'deletion of the customer': {
    end: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  'last retry, policy cancel': {
    order: DECLINED,
    prepare: endPeriod,
    end: (sandbox) => sandbox.advance(DAY),
  },
}

/** The last invoice, the credit balance, the end of the items (such as `billed`), and the events from the end on. */
const TABLE = `
  period end, active                      paid 2500           billed
      in.created ii.updated in.finalized py.created py.succeeded in.paid sub.canceled
  period end, declined card               open 2500           billed
      in.created ii.updated in.finalized py.created py.failed in.payment_failed sub.canceled
  period end, invoice by email           open 2500           billed
      in.created ii.updated in.finalized in.sent sub.canceled in.updated
  period end, credit                      paid -2500 -2500    billed
      in.created ii.updated cus.updated in.finalized in.paid sub.canceled
  period end, past due                    open 2500           billed
      in.created ii.updated in.finalized py.created py.failed in.payment_failed sub.canceled in.updated
  period end, paused: keep_as_draft       draft 2500          billed
      in.created ii.updated sub.canceled
  period end, paused: mark_uncollectible  uncollectible 2500  billed
      in.created ii.updated in.finalized in.marked_uncollectible sub.canceled
  period end, paused: void                void 2500           billed
      in.created ii.updated in.voided sub.canceled
  start date, pending                     paid 2500           billed
      in.created ii.updated in.finalized py.created py.succeeded in.paid sub.canceled
  trial end, trialing                     paid 2500           billed
      in.created ii.updated in.finalized py.created py.succeeded in.paid sub.canceled
  trial end without a card                none                deleted
      sub.canceled ii.deleted
  trial end by request                    paid 2500           billed
      sub.updated in.created ii.updated in.finalized py.created py.succeeded in.paid sub.canceled
  cancel with invoice_now                 paid 2500           billed
      in.created ii.updated in.finalized py.created py.succeeded in.paid sub.canceled
  cancel with invoice_now, paused         paid 2500           billed
      in.created ii.updated in.finalized py.created py.succeeded in.paid sub.canceled
  cancel                                  none                deleted
      sub.canceled ii.deleted
  cancel with prorate                     none                deleted
      ii.created sub.canceled ii.deleted ii.deleted
  cancel, pending                         none                deleted
      sub.canceled ii.deleted
  cancel, trialing                        none                deleted
      sub.canceled ii.deleted
  DELETE of the subscription              none                deleted
      sub.canceled ii.deleted
  deletion of the customer                none                deleted
      sub.canceled ii.deleted pm.detached cus.deleted
  last retry, policy cancel               none                deleted
      py.created py.failed in.payment_failed sub.canceled ii.deleted in.updated
`

async function outcomeOf(sandbox: Sandbox, { id, customer }: Subject, item: string): Promise<string> {
  const found = await sandbox.call(api.invoiceItems.retrieve, { id: item })
  const invoices = await invoicesOf(sandbox, id)
  const taken = isDeleted(found) ? null : found.invoice
  const last = invoices.find((invoice) => invoice.id === taken)
  const owner = await sandbox.call(api.customers.retrieve, { id: customer })
  const balance = 'deleted' in owner ? undefined : owner.balances['eur']
  const what = last === undefined ? 'none' : `${last.status} ${last.total}`
  const { latest_invoice, status } = await sandbox.call(api.subscriptions.retrieve, { id })
  assert.is(status, 'canceled')
  if (last !== undefined) assert.equal([latest_invoice, last.next_payment_attempt], [last.id, null])
  return `${what}${balance === undefined ? '' : ` ${balance}`} ${isDeleted(found) ? 'deleted' : 'billed'}`
}

/** Returns the rows of the table: name, outcome and events. */
function rowsOf(table: string): (readonly [string, string, string])[] {
  const lines = table.trim().split('\n')
  return lines.flatMap((line, at) => {
    if (at % 2 === 1) return []
    const [name = '', ...outcome] = line.trim().split(/ {2,}/)
    return [[name, outcome.join(' '), lines[at + 1]?.trim() ?? '']] as const
  })
}

for (const [name, outcome, events] of rowsOf(TABLE)) {
  test(`pending invoice items at the end by ${name}: ${outcome}`, async () => {
    const ending = ENDINGS[name]
    if (ending === undefined) throw new Error(`no ending is called ${name}`)
    const sandbox = createSandbox({
      dunning: { retry_days: [ending.retryDays ?? 1], on_exhausted: 'cancel' },
    })
    const subject = await subscribe(sandbox, ending.order)
    await ending.prepare?.(sandbox, subject)
    const unit_amount = ending.fee ?? 2500
    const fee = { subscription: subject.id, description: 'Key', unit_amount }
    const { id: item } = await sandbox.call(api.invoiceItems.create, fee)
    const { length } = await sandbox.events()
    await ending.end(sandbox, subject)
    assert.is(await outcomeOf(sandbox, subject, item), outcome)
    const all = (await sandbox.events()).slice(length).map(shortType)
    const own = all.filter((type) => type !== 'sub.trial_will_end')
    const start = own[0] === 'sub.updated' && !events.startsWith('sub.updated') ? 1 : 0
    assert.is(own.slice(start).join(' '), events)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('the table has a row for every way to end a subscription', () => {
  assert.equal(
    rowsOf(TABLE).map(([name]) => name),
    Object.keys(ENDINGS),
  )
})

test('the last invoice of an unpaid subscription stays a draft', async () => {
  const sandbox = createSandbox({ dunning: { retry_days: [], on_exhausted: 'unpaid' } })
  const subject = await subscribe(sandbox, DECLINED)
  await endPeriod(sandbox, subject)
  const fee = { subscription: subject.id, description: 'Key', unit_amount: 2500 }
  await sandbox.call(api.invoiceItems.create, fee)
  await endWithPeriod(sandbox, subject)
  const last = (await invoicesOf(sandbox, subject.id)).at(-1)
  assert.equal(
    [last?.status, last?.billing_reason, last?.total, last?.auto_advance],
    ['draft', 'subscription_cancel', 2500, false],
  )
})

test('deleting a test clock deletes the pending items of its customers', async () => {
  const sandbox = createSandbox()
  const clock = await sandbox.call(api.testClocks.create, { frozen_time: START })
  const email = 'ada@example.com'
  const { id: customer } = await sandbox.call(api.customers.create, { email, test_clock: clock.id })
  const { id: subscription } = await subscribe(sandbox, { customer })
  const fee = { subscription, description: 'Key', unit_amount: 2500 }
  const { id: item } = await sandbox.call(api.invoiceItems.create, fee)
  await sandbox.call(api.testClocks.delete, { id: clock.id })
  assert.is(isDeleted(await sandbox.call(api.invoiceItems.retrieve, { id: item })), true)
})

test('the preview and the projection of an ending subscription contain its fees and prorations', async () => {
  const sandbox = createSandbox()
  const { id, items } = await subscribe(sandbox, {
    items: [{ description: 'Seat', price_data: { amount: 1000 } }],
  })
  await sandbox.advance(15 * DAY)
  const change = { id: items[0]?.id ?? '', price_data: { amount: 3000 } }
  await sandbox.call(api.subscriptions.update, { id, items: [change], cancel_at_period_end: true })
  await sandbox.call(api.invoiceItems.create, { subscription: id, description: 'Key', unit_amount: 2500 })
  const preview = await sandbox.call(api.subscriptions.preview, { id })
  const { data } = await sandbox.call(api.projections.retrieve, { subscription: id })
  const created = data.find(({ type }) => type === 'invoice.created')?.data.object
  await toNextPeriod(sandbox, id)
  const last = (await invoicesOf(sandbox, id)).at(-1)
  assert.is(
    data.map(shortType).join(' '),
    'in.created ii.updated ii.updated ii.updated in.finalized py.created py.succeeded in.paid sub.canceled',
  )
  assert.is(last?.billing_reason, 'subscription_cancel')
  assert.equal([preview.total, preview.billing_reason], [last?.total, 'subscription_cancel'])
  assert.is(created !== undefined && 'total' in created && created.total, last?.total)
})

test.run()
