import { awaitBuyer } from '../../src/domain/authentications.ts'
import type { Owing } from '../../src/domain/billing.ts'
import { UNTRIED } from '../../src/domain/charge-invoice.ts'
import {
  answerInvoiceChallenge,
  finalizeByHand,
  payByHand,
  voidByHand,
  writeOffByHand,
} from '../../src/domain/invoice-handling.ts'
import { payByEnteredCard } from '../../src/domain/invoice-submission.ts'
import type { Invoice, InvoiceStatus } from '../../src/domain/invoices.ts'
import { aCard, anAccount, anInvoice } from '../support/account-samples.ts'
import { aPayment, cameTo, told } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/invoice-handling')

const context = createRuleContext()
const PRESENT = { card: null, isOffSession: false, isOutOfBand: false }

function owing(more: Partial<Invoice> = {}): Owing {
  const invoice = anInvoice(context, more)
  return { account: anAccount(context, { invoices: [invoice] }), invoice, tried: UNTRIED }
}

/** An invoice that waits in 3-D Secure for a buyer with the test card of that alias. */
function waiting(alias: string, more: Partial<Invoice> = {}): Owing {
  const { account, invoice } = owing({ attempted: true, attempt_count: 1, ...more })
  const { id, card } = aCard(context, alias)
  const payment = aPayment(context, { status: 'requires_action', payment_method: id, invoice: invoice.id })
  const authentication = awaitBuyer({ id: invoice.id, payment: payment.id, card, name: null }).after
  return {
    account,
    invoice,
    tried: { payments: [payment], authentication, waitingPayment: payment, traceless: null },
  }
}

test('refuses to charge any card for a customer who was deleted, and takes what was paid elsewhere', async () => {
  const given = owing()
  for (const customer of [null, { id: given.invoice.customer, object: 'customer', deleted: true }] as const) {
    const account = { ...given.account, customer }
    const entered = { number: '4242424242424242', exp_month: '12', exp_year: '2040', cvc: '123', name: 'Ada' }
    for (const pay of [
      () => payByHand({ ...given, account }, { ...PRESENT, card: aCard(context) }, context),
      () => payByHand({ ...given, account }, PRESENT, context),
      () => payByEnteredCard({ ...given, account }, entered, context),
    ]) {
      assert.is((await refusal(pay)).code, 'customer_deleted')
    }
    const elsewhere = payByHand({ ...given, account }, { ...PRESENT, isOutOfBand: true }, context)
    assert.equal(told(elsewhere.changes), ['invoice.paid'])
  }
})

/** What can be done by hand, and in which states. */
const ALLOWED: readonly (readonly [
  string,
  (owing: Owing) => { readonly changes: readonly unknown[] },
  readonly InvoiceStatus[],
])[] = [
  ['finalize', (given) => finalizeByHand(given, context), ['draft']],
  ['pay', (given) => payByHand(given, PRESENT, context), ['open', 'uncollectible']],
  ['void', (given) => voidByHand(given, context), ['draft', 'open', 'uncollectible']],
  ['mark uncollectible', (given) => writeOffByHand(given, context), ['open']],
]

for (const [action, act, allowed] of ALLOWED) {
  test(`only an invoice that is ${allowed.join(' or ')} can be: ${action}`, async () => {
    for (const status of ['draft', 'open', 'paid', 'void', 'uncollectible'] as const) {
      const given = owing({ status, auto_advance: false })
      if (allowed.includes(status)) {
        assert.ok(act(given).changes.length > 0, status)
        continue
      }
      const { code, message } = await refusal(() => act(given))
      assert.is(code, 'invoice_unexpected_state', status)
      const start = `Cannot ${action} invoice '${given.invoice.id}': it is ${status}`
      assert.is(message.slice(0, start.length), start)
    }
  })
}

test('a payment by hand answers with the invoice it paid, or with why it did not', () => {
  const paid = payByHand(owing(), PRESENT, context)
  assert.is((cameTo(paid) as Invoice).status, 'paid')
  const declined = payByHand(owing(), { ...PRESENT, card: aCard(context, 'declined') }, context)
  assert.is(cameTo(declined), 'card_declined')
  assert.is('refusal' in declined && declined.refusal.details.payment !== null, true)
})

test('without a card there is nothing to charge, and nothing happens', async () => {
  const given = owing()
  const without = { ...given, account: { ...given.account, card: null } }
  assert.is((await refusal(() => payByHand(without, PRESENT, context))).code, 'payment_method_missing')
  assert.is(
    (cameTo(payByHand(without, { ...PRESENT, isOutOfBand: true }, context)) as Invoice).status,
    'paid',
  )
})

/** card, answer, outcome, events */
const ANSWERS = `
  sca_always   approve paid                  -,payment.succeeded,invoice.paid
  sca_setup    approve paid                  -,payment.succeeded,invoice.paid
  sca_no_funds approve card_declined         -,payment.failed,invoice.payment_failed
  sca_declined approve card_declined         -,payment.failed,invoice.payment_failed
  sca_always   reject  authentication_failed -,payment.failed,invoice.payment_failed
`

for (const line of ANSWERS.trim().split('\n')) {
  const [alias = '', answer, outcome, events] = line.trim().split(/\s+/)
  test(`a buyer with ${alias} who answers ${answer} leads to ${outcome}`, () => {
    for (const status of ['open', 'uncollectible'] as const) {
      const given = waiting(alias, { status, next_payment_attempt: status === 'open' ? START + DAY : null })
      const decision = answerInvoiceChallenge(given, answer === 'approve', context)
      const came = cameTo(decision)
      assert.is(typeof came === 'string' ? came : came.status, outcome)
      assert.is(told(decision.changes).join(), events)
      const after = decision.changes.at(-1)?.after as Invoice | undefined
      // Neither answer is an attempt more, nor does it move the schedule.
      assert.is(after?.attempt_count, 1)
      const next = outcome === 'paid' ? null : given.invoice.next_payment_attempt
      assert.is(after?.next_payment_attempt, next)
    }
  })
}

test('a card that expired while its buyer was waited for is declined when they approve', () => {
  const late = createRuleContext(START + 8 * 365 * DAY)
  assert.is(cameTo(answerInvoiceChallenge(waiting('sca_always'), true, late)), 'expired_card')
})

test('an answer that nobody waits for, or for an invoice that is settled, is refused', async () => {
  const { code, message } = await refusal(() => answerInvoiceChallenge(owing(), true, context))
  assert.is(code, 'invoice_unexpected_state')
  assert.match(message, /No 3-D Secure authentication is waiting for invoice/)
  for (const status of ['draft', 'paid', 'void'] as const) {
    const settled = waiting('sca_always', { status })
    assert.match((await refusal(() => answerInvoiceChallenge(settled, true, context))).message, /it is/)
  }
})

test('voiding cancels the attempt that waits, writing off leaves it waiting', () => {
  assert.equal(told(voidByHand(waiting('sca_always'), context).changes), [
    'payment.canceled',
    '-',
    'invoice.voided',
  ])
  assert.equal(told(writeOffByHand(waiting('sca_always'), context).changes), ['invoice.marked_uncollectible'])
})

test.run()
