import { createAuthentication } from '../../src/domain/authentications.ts'
import { EMPTY_COLLECTION_HISTORY } from '../../src/domain/charge-invoice.ts'
import {
  completeInvoiceAuthentication,
  finalizeInvoice,
  payInvoice,
  type VoidRecords,
  voidInvoice,
  writeOffInvoice,
} from '../../src/domain/invoice-actions.ts'
import { submitInvoicePayment } from '../../src/domain/invoice-submission.ts'
import type { Invoice, InvoiceStatus } from '../../src/domain/invoices.ts'
import { aCard, anAccount, anInvoice } from '../support/account-samples.ts'
import { catchDomainError } from '../support/catch-domain-error.ts'
import { aPayment, eventTypesOf, resultOrErrorCode } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/invoice-actions')

const context = createRuleContext()
const PRESENT = { card: null, isOffSession: false, isOutOfBand: false }

function invoiceRecords(more: Partial<Invoice> = {}): VoidRecords {
  const invoice = anInvoice(context, more)
  const account = anAccount(context, { invoices: [invoice] })
  return { account, invoice, history: EMPTY_COLLECTION_HISTORY, billed: [], customerItems: [] }
}

/** Returns an invoice with a pending 3-D Secure authentication of the test card with an alias. */
function withAuthentication(alias: string, more: Partial<Invoice> = {}): VoidRecords {
  const { invoice, ...records } = invoiceRecords({ attempted: true, attempt_count: 1, ...more })
  const { id, card } = aCard(context, alias)
  const payment = aPayment(context, { status: 'requires_action', payment_method: id, invoice: invoice.id })
  const authentication = createAuthentication({ id: invoice.id, payment: payment.id, card, name: null }).after
  return {
    ...records,
    invoice,
    history: { payments: [payment], authentication, pendingPayment: payment, declineLog: null },
  }
}

test('rejects charging the invoice of a deleted customer, but accepts an out-of-band payment', async () => {
  const given = invoiceRecords()
  const customer = { id: given.invoice.customer, object: 'customer', deleted: true } as const
  const account = { ...given.account, customer }
  const entered = { number: '4242424242424242', exp_month: '12', exp_year: '2040', cvc: '123', name: 'Ada' }
  for (const pay of [
    () => payInvoice({ ...given, account }, { ...PRESENT, card: aCard(context) }, context),
    () => payInvoice({ ...given, account }, PRESENT, context),
    () => submitInvoicePayment({ ...given, account }, { card: entered, keep: false }, context),
  ]) {
    assert.is((await catchDomainError(pay)).code, 'customer_deleted')
  }
  const outOfBand = payInvoice({ ...given, account }, { ...PRESENT, isOutOfBand: true }, context)
  assert.equal(eventTypesOf(outOfBand.changes), ['invoice.paid'])
})

/** action, function, allowed states */
const ALLOWED: readonly (readonly [
  string,
  (records: VoidRecords) => { readonly changes: readonly unknown[] },
  readonly InvoiceStatus[],
])[] = [
  ['finalize', (given) => finalizeInvoice(given, {}, context), ['draft']],
  ['pay', (given) => payInvoice(given, PRESENT, context), ['open', 'uncollectible']],
  ['void', (given) => voidInvoice(given, context), ['draft', 'open', 'uncollectible']],
  ['mark uncollectible', (given) => writeOffInvoice(given, context), ['open']],
]

for (const [action, act, allowed] of ALLOWED) {
  test(`the action ${action} accepts only an invoice that is ${allowed.join(' or ')}`, async () => {
    for (const status of ['draft', 'open', 'paid', 'void', 'uncollectible'] as const) {
      const given = invoiceRecords({ status, auto_advance: false })
      if (allowed.includes(status)) {
        assert.ok(act(given).changes.length > 0, status)
        continue
      }
      const { code, message } = await catchDomainError(() => act(given))
      assert.is(code, 'invoice_unexpected_state', status)
      const start = `Cannot ${action} invoice '${given.invoice.id}': its status is ${status}`
      assert.is(message.slice(0, start.length), start)
    }
  })
}

test('payInvoice returns the paid invoice, or the error of a decline', () => {
  const paid = payInvoice(invoiceRecords(), PRESENT, context)
  assert.is((resultOrErrorCode(paid) as Invoice).status, 'paid')
  const declined = payInvoice(invoiceRecords(), { ...PRESENT, card: aCard(context, 'declined') }, context)
  assert.is(resultOrErrorCode(declined), 'card_declined')
  assert.is('error' in declined && declined.error.details.payment !== null, true)
})

test('payInvoice throws payment_method_missing without a card', async () => {
  const given = invoiceRecords()
  const without = { ...given, account: { ...given.account, card: null } }
  assert.is(
    (await catchDomainError(() => payInvoice(without, PRESENT, context))).code,
    'payment_method_missing',
  )
  assert.is(
    (resultOrErrorCode(payInvoice(without, { ...PRESENT, isOutOfBand: true }, context)) as Invoice).status,
    'paid',
  )
})

/** card, cardholder's decision, outcome, events */
const AUTHENTICATIONS = `
  sca_always   approve paid                  -,payment.succeeded,invoice.paid
  sca_setup    approve paid                  -,payment.succeeded,invoice.paid
  sca_no_funds approve card_declined         -,payment.failed,invoice.payment_failed
  sca_declined approve card_declined         -,payment.failed,invoice.payment_failed
  sca_always   reject  authentication_failed -,payment.failed,invoice.payment_failed
`

for (const line of AUTHENTICATIONS.trim().split('\n')) {
  const [alias = '', choice, outcome, events] = line.trim().split(/\s+/)
  test(`card ${alias} and the 3-D Secure choice ${choice} leave the invoice payment as ${outcome}`, () => {
    for (const status of ['open', 'uncollectible'] as const) {
      const given = withAuthentication(alias, {
        status,
        next_payment_attempt: status === 'open' ? START + DAY : null,
      })
      const decision = completeInvoiceAuthentication(given, choice === 'approve', context)
      const came = resultOrErrorCode(decision)
      assert.is(typeof came === 'string' ? came : came.status, outcome)
      assert.is(eventTypesOf(decision.changes).join(), events)
      const after = decision.changes.at(-1)?.after as Invoice | undefined
      // The authentication is not another attempt and does not change the schedule.
      assert.is(after?.attempt_count, 1)
      const next = outcome === 'paid' ? null : given.invoice.next_payment_attempt
      assert.is(after?.next_payment_attempt, next)
    }
  })
}

test('declines an invoice payment when the card expired during 3-D Secure', () => {
  const late = createRuleContext(START + 8 * 365 * DAY)
  assert.is(
    resultOrErrorCode(completeInvoiceAuthentication(withAuthentication('sca_always'), true, late)),
    'expired_card',
  )
})

test('rejects an authentication that is not pending or belongs to a settled invoice', async () => {
  const { code, message } = await catchDomainError(() =>
    completeInvoiceAuthentication(invoiceRecords(), true, context),
  )
  assert.is(code, 'invoice_unexpected_state')
  assert.match(message, /No 3-D Secure authentication is pending for invoice/)
  for (const status of ['draft', 'paid', 'void'] as const) {
    const settled = withAuthentication('sca_always', { status })
    assert.match(
      (await catchDomainError(() => completeInvoiceAuthentication(settled, true, context))).message,
      /its status is/,
    )
  }
})

test('cancels a payment that requires action when its invoice is voided, but not when it is marked uncollectible', () => {
  assert.equal(eventTypesOf(voidInvoice(withAuthentication('sca_always'), context).changes), [
    'payment.canceled',
    '-',
    'invoice.voided',
  ])
  assert.equal(eventTypesOf(writeOffInvoice(withAuthentication('sca_always'), context).changes), [
    'invoice.marked_uncollectible',
  ])
})

test.run()
