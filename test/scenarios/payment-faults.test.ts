import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { HostedPages, pathOf, VISA } from '../pages/hosted-pages.ts'
import { invoiceIn, newCustomerWithCard, saveCard, subscribe } from '../support/billing.ts'
import { advanceClockTo } from '../support/clocks.ts'
import { addFault, countsOf, type FaultParams, subscribeOnClock } from '../support/payment-faults.ts'
import { newCardSession, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/payment-faults')

/** The faults of the columns of the table. */
const FAULTS = {
  decline: { type: 'decline', decline_code: 'insufficient_funds' },
  unavailable: { type: 'issuer_unavailable' },
  processing: { type: 'processing', delay_ms: 4001 },
} as const satisfies Record<string, FaultParams>

/** A charge that `run` makes, and its customer. */
interface Charge {
  readonly customer: string
  readonly run: () => Promise<unknown>
}

type Prepare = (sandbox: Sandbox) => Promise<Charge>

/** Submits a card on a hosted page. */
async function submitOnPage(sandbox: Sandbox, url: string | null): Promise<void> {
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  await hosted.submit(pathOf({ url: url ?? '' }), VISA)
}

/** Creates a subscription whose first renewal was declined. */
async function withOpenInvoice(sandbox: Sandbox) {
  const subscription = await subscribe(sandbox, { card: 'renewal_no_funds' })
  await sandbox.moveTo(subscription.current_period_end ?? 0)
  const invoice = await invoiceIn(sandbox, subscription.id, ['open'])
  const { id: card } = await saveCard(sandbox, subscription.customer, 'mastercard')
  return { customer: subscription.customer, invoice, card }
}

const CHARGES: Readonly<Record<string, Prepare>> = {
  async 'payment session, page'(sandbox) {
    const { customer, url } = await newPaymentSession(sandbox)
    return { customer, run: () => submitOnPage(sandbox, url) }
  },
  async 'payment session, API'(sandbox) {
    const { customer, id } = await newPaymentSession(sandbox)
    return { customer, run: () => sandbox.call(api.paymentSessions.complete, { id, test_card: 'visa' }) }
  },
  async 'payment session, declined card'(sandbox) {
    const { customer, id } = await newPaymentSession(sandbox)
    return { customer, run: () => sandbox.call(api.paymentSessions.complete, { id, test_card: 'lost_card' }) }
  },
  async 'payment session, slow card'(sandbox) {
    const { customer, id } = await newPaymentSession(sandbox)
    return { customer, run: () => sandbox.call(api.paymentSessions.complete, { id, test_card: 'slow' }) }
  },
  async 'payment session, 3-D Secure'(sandbox) {
    const { customer, id } = await newPaymentSession(sandbox)
    return {
      customer,
      run: () => sandbox.call(api.paymentSessions.complete, { id, test_card: 'sca_always' }),
    }
  },
  async 'payment session, rejected'(sandbox) {
    const { customer, id } = await newPaymentSession(sandbox)
    const test_card = 'sca_always'
    const three_d_secure = 'reject'
    return {
      customer,
      run: () => sandbox.call(api.paymentSessions.complete, { id, test_card, three_d_secure }),
    }
  },
  async 'checkout session, page'(sandbox) {
    const { customer, url } = await newCheckout(sandbox)
    return { customer, run: () => submitOnPage(sandbox, url) }
  },
  async 'checkout session, API'(sandbox) {
    const { customer, id } = await newCheckout(sandbox)
    return { customer, run: () => sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' }) }
  },
  async 'checkout session, nothing due'(sandbox) {
    const { customer, id } = await newCheckout(sandbox, { start_date: START + DAY })
    return { customer, run: () => sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' }) }
  },
  async 'card session'(sandbox) {
    const { customer, id } = await newCardSession(sandbox)
    return { customer, run: () => sandbox.call(api.cardSessions.complete, { id, test_card: 'visa' }) }
  },
  async 'invoice pay, off session'(sandbox) {
    const { customer, invoice, card } = await withOpenInvoice(sandbox)
    const params = { id: invoice.id, payment_method: card }
    return { customer, run: () => sandbox.call(api.invoices.pay, params) }
  },
  async 'invoice pay, on session'(sandbox) {
    const { customer, invoice, card } = await withOpenInvoice(sandbox)
    const params = { id: invoice.id, payment_method: card, off_session: false }
    return { customer, run: () => sandbox.call(api.invoices.pay, params) }
  },
  async 'invoice pay, 3-D Secure'(sandbox) {
    const { customer, invoice } = await withOpenInvoice(sandbox)
    const params = { id: invoice.id, test_card: 'sca_always' } as const
    return { customer, run: () => sandbox.call(api.invoices.payAsCustomer, params) }
  },
  async 'invoice pay, rejected'(sandbox) {
    const { customer, invoice } = await withOpenInvoice(sandbox)
    const params = { id: invoice.id, test_card: 'sca_always', three_d_secure: 'reject' } as const
    return { customer, run: () => sandbox.call(api.invoices.payAsCustomer, params) }
  },
  async 'invoice page'(sandbox) {
    const { customer, invoice } = await withOpenInvoice(sandbox)
    return { customer, run: () => submitOnPage(sandbox, invoice.hosted_invoice_url) }
  },
  async 'renewal on a test clock'(sandbox) {
    const { clock, customer, renewal } = await subscribeOnClock(sandbox, 'visa')
    return { customer, run: () => advanceClockTo(sandbox, clock, renewal) }
  },
  async 'dunning retry on a test clock'(sandbox) {
    const { clock, customer, renewal } = await subscribeOnClock(sandbox, 'renewal_flaky')
    await advanceClockTo(sandbox, clock, renewal)
    return { customer, run: () => advanceClockTo(sandbox, clock, renewal + 3 * DAY) }
  },
  async 'trial end'(sandbox) {
    const { customer } = await subscribe(sandbox, { trial_days: 7 })
    return { customer, run: () => sandbox.advance(7 * DAY) }
  },
  async 'subscription change'(sandbox) {
    const { customer, id, items } = await subscribe(sandbox)
    const item = { id: items[0]?.id ?? '', price_data: { amount: 200_000 } }
    const params = { id, items: [item], proration_behavior: 'always_invoice' } as const
    return { customer, run: () => sandbox.call(api.subscriptions.update, params) }
  },
  async 'API payment, off session'(sandbox) {
    const { customer } = await newCustomerWithCard(sandbox)
    const params = { customer, amount: 500, currency: 'eur' }
    return { customer, run: () => sandbox.call(api.payments.create, params) }
  },
  async 'API payment, on session'(sandbox) {
    const { customer } = await newCustomerWithCard(sandbox)
    const params = { customer, amount: 500, currency: 'eur', off_session: false }
    return { customer, run: () => sandbox.call(api.payments.create, params) }
  },
  async 'API payment, 3-D Secure'(sandbox) {
    const { customer } = await newCustomerWithCard(sandbox, 'sca_always')
    const params = { customer, amount: 500, currency: 'eur', off_session: false }
    await sandbox.call(api.payments.create, params).catch(requireDomainError)
    const { data } = await sandbox.call(api.payments.list, { customer })
    const id = data[0]?.id ?? ''
    return { customer, run: () => sandbox.call(api.payments.authenticate, { id, three_d_secure: 'approve' }) }
  },
}

/**
 * Columns: charge, then for each fault the payments of the charge and the counts `matched/applied`. Without payments,
 * the cell shows the change of the number of saved cards.
 */
const TABLE = `
                                 | decline                    | unavailable          | processing
  payment session, page          | insufficient_funds 1/1     | processing_error 1/1 | 5s succeeded 1/1
  payment session, API           | insufficient_funds 1/1     | processing_error 1/1 | 5s succeeded 1/1
  payment session, declined card | insufficient_funds 1/1     | processing_error 1/1 | lost_card 0/0
  payment session, slow card     | insufficient_funds 1/1     | processing_error 1/1 | 5s succeeded 1/1
  payment session, 3-D Secure    | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  payment session, rejected      | authentication_failed 0/0  | authentication_failed 0/0 | authentication_failed 0/0
  checkout session, page         | insufficient_funds 1/1     | processing_error 1/1 | 5s succeeded 1/1
  checkout session, API          | insufficient_funds 1/1     | processing_error 1/1 | 5s succeeded 1/1
  checkout session, nothing due  | not saved 1/1              | not saved 1/1        | saved 0/0
  card session                   | not saved 1/1              | not saved 1/1        | saved 0/0
  invoice pay, off session       | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  invoice pay, on session        | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  invoice pay, 3-D Secure        | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  invoice pay, rejected          | authentication_failed 0/0  | authentication_failed 0/0 | authentication_failed 0/0
  invoice page                   | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  renewal on a test clock        | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  dunning retry on a test clock  | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  trial end                      | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  subscription change            | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  API payment, off session       | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  API payment, on session        | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
  API payment, 3-D Secure        | insufficient_funds 1/1     | processing_error 1/1 | succeeded 0/0
`

const [HEAD = '', ...ROWS] = TABLE.split('\n').filter((line) => line.trim() !== '')
const [, ...COLUMNS] = cellsOf(HEAD)

function cellsOf(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}

test('the table has a row for every charge and a column for every fault', () => {
  assert.equal(
    ROWS.map((row) => cellsOf(row)[0]),
    Object.keys(CHARGES),
  )
  assert.equal(COLUMNS, Object.keys(FAULTS))
})

for (const row of ROWS) {
  const [charge = '', ...cells] = cellsOf(row)
  for (const [at, expected] of cells.entries()) {
    const column = COLUMNS[at] as keyof typeof FAULTS
    test(`${charge}: the fault ${column} results in ${expected}`, async () => {
      const sandbox = createSandbox()
      const prepared = await prepare(sandbox, charge)
      const { customer } = prepared
      const fault = await addFault(sandbox, { ...FAULTS[column], times: 1, match: { customer } })
      const outcome = await outcomeOf(sandbox, prepared)
      assert.is(`${outcome} ${await countsOf(sandbox, fault)}`, expected)
      assert.equal(checkInvariants(await sandbox.snapshot()), [])
    })
  }
}

for (const charge of Object.keys(CHARGES)) {
  test(`${charge}: a fault for another customer neither changes nor counts the charge`, async () => {
    const without = createSandbox()
    const expected = await outcomeOf(without, await prepare(without, charge))
    const sandbox = createSandbox()
    const prepared = await prepare(sandbox, charge)
    const { id: stranger } = await newCustomer(sandbox)
    const fault = await addFault(sandbox, { type: 'issuer_unavailable', match: { customer: stranger } })
    assert.is(await outcomeOf(sandbox, prepared), expected)
    assert.is(await countsOf(sandbox, fault), '0/0')
  })
}

async function prepare(sandbox: Sandbox, charge: string): Promise<Charge> {
  const prepared = await CHARGES[charge]?.(sandbox)
  if (prepared === undefined) throw new Error(`no charge is called ${charge}`)
  return prepared
}

/** Runs a charge and describes the payment that it made, or whether it saved a card. */
async function outcomeOf(sandbox: Sandbox, { customer, run }: Charge): Promise<string> {
  const cards = await countCards(sandbox, customer)
  const before = await sandbox.call(api.payments.list, { customer })
  const settled = new Set(
    before.data.filter(({ status }) => status !== 'requires_action').map(({ id }) => id),
  )
  await run().catch(requireDomainError)
  const payments = async () => {
    const { data } = await sandbox.call(api.payments.list, { customer })
    return data.filter(({ id }) => !settled.has(id))
  }
  const [made, ...others] = await payments()
  assert.equal(others, [])
  if (made === undefined) return (await countCards(sandbox, customer)) > cards ? 'saved' : 'not saved'
  let status = made.status
  let seconds = 0
  for (; status === 'processing'; seconds += 1) {
    await sandbox.advance(1)
    status = (await payments())[0]?.status ?? 'canceled'
  }
  const waited = seconds > 0 ? `${seconds}s ` : ''
  return waited + (made.decline_code ?? made.failure_code ?? status)
}

async function countCards(sandbox: Sandbox, id: string): Promise<number> {
  return (await sandbox.call(api.paymentMethods.listOfCustomer, { id })).data.length
}

function requireDomainError(error: unknown): void {
  if (!(error instanceof DomainError)) throw error
}

test.run()
