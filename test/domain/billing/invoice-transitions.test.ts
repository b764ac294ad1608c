import {
  createOverdueTimer,
  isInvoicePastDue,
  markInvoiceOverdue,
  markInvoicePaid,
  markInvoicePaidOutOfBand,
  markInvoicePaymentFailed,
  markInvoicePaymentSkipped,
  markInvoiceUncollectible,
  markInvoiceVoid,
} from '../../../src/domain/billing/invoice-transitions.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import { anInvoice } from '../../support/account-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/invoice-transitions')

const context = createRuleContext()
const open = anInvoice(context)
const ERROR = { code: 'card_declined', decline_code: 'generic_decline', message: 'No.' }

/** attempts before, trigger, attempts after; the first attempt counts always, later ones only when automatic */
const COUNTS = `
  0 automatic 1
  0 by_hand   1
  1 automatic 2
  1 by_hand   1
  3 automatic 4
  3 by_hand   3
`

for (const line of COUNTS.trim().split('\n')) {
  const [before, by, after] = line.trim().split(/\s+/)
  test(`${by === 'automatic' ? 'an automatic' : 'a manual'} attempt changes attempt_count from ${before} to ${after}`, () => {
    const attempt_count = Number(before)
    const invoice = { ...open, attempt_count, attempted: attempt_count > 0, latest_payment: 'py_0' }
    const attempt = { isAutomatic: by === 'automatic', payment: 'py_1' }
    const failed = markInvoicePaymentFailed(invoice, { ...attempt, error: ERROR, next: START + DAY })
    const paid = markInvoicePaid(invoice, attempt, context)
    for (const change of [failed, paid]) {
      const { attempted, latest_payment } = change.after
      assert.equal([change.after.attempt_count, attempted, latest_payment], [Number(after), true, 'py_1'])
    }
  })
}

test('a failed attempt keeps the invoice open and stores the error and the next attempt', () => {
  const failed = markInvoicePaymentFailed(open, {
    isAutomatic: true,
    payment: null,
    error: ERROR,
    next: START,
  })
  assert.is(failed.event, 'invoice.payment_failed')
  assert.equal(failed.after, {
    ...open,
    attempted: true,
    attempt_count: 1,
    next_payment_attempt: START,
    last_payment_error: ERROR,
  })
  const asks = { ...ERROR, code: 'authentication_required', decline_code: null }
  const asked = markInvoicePaymentFailed(open, {
    isAutomatic: true,
    payment: 'py_1',
    error: asks,
    next: null,
  })
  assert.is(asked.event, 'invoice.payment_action_required')
})

test('a succeeded payment clears last_payment_error', () => {
  const tried = { ...open, last_payment_error: ERROR, next_payment_attempt: START + DAY }
  const { after } = markInvoicePaid(tried, { isAutomatic: false, payment: 'py_1' }, context)
  assert.equal(
    [after.last_payment_error, after.next_payment_attempt, after.auto_advance],
    [null, null, false],
  )
})

test('an invoice paid out of band has no payment and counts no attempt', () => {
  const { event, after } = markInvoicePaidOutOfBand(open, createRuleContext(START + 9))
  assert.is(event, 'invoice.paid')
  assert.equal(after, {
    ...open,
    status: 'paid',
    amount_paid: open.total,
    amount_remaining: 0,
    auto_advance: false,
    paid_at: START + 9,
    paid_out_of_band: true,
  })
})

test('a skipped attempt changes only attempt_count and next_payment_attempt', () => {
  const { event, after } = markInvoicePaymentSkipped({ ...open, attempt_count: 1 }, START + DAY)
  assert.is(event, 'invoice.updated')
  assert.equal(after, { ...open, attempt_count: 2, next_payment_attempt: START + DAY })
})

test('voiding an invoice or marking it uncollectible stops its collection', () => {
  const tried = { ...open, next_payment_attempt: START + DAY }
  const uncollected = { ...open, auto_advance: false }
  const [voided, written] = [markInvoiceVoid(tried, context), markInvoiceUncollectible(tried, context)]
  assert.equal([voided.event, written.event], ['invoice.voided', 'invoice.marked_uncollectible'])
  assert.equal(voided.after, { ...uncollected, status: 'void', voided_at: START })
  const uncollectible = { status: 'uncollectible', marked_uncollectible_at: START }
  assert.equal(written.after, { ...uncollected, ...uncollectible })
})

test('an invoice with a due date has a timer, and invoice.overdue changes no field', () => {
  assert.equal(createOverdueTimer(open), [])
  const sent = { ...open, due_date: START + DAY, test_clock: 'clock_1' }
  const timer = { id: open.id, object: 'timer', what: 'invoice_overdue', at: START + DAY }
  assert.equal(
    createOverdueTimer(sent).map(({ after }) => after),
    [{ ...timer, test_clock: 'clock_1' }],
  )
  const { event, before, after } = markInvoiceOverdue(sent)
  assert.equal([event, before, after], ['invoice.overdue', sent, sent])
})

/** collection method, status, attempted, due date in seconds from now, past due */
const PAST_DUE = `
  charge_automatically open          no  -   no
  charge_automatically open          yes -   yes
  charge_automatically draft         no  -   no
  charge_automatically paid          yes -   no
  charge_automatically void          yes -   no
  charge_automatically uncollectible yes -   no
  send_invoice         open          no  1   no
  send_invoice         open          no  0   yes
  send_invoice         open          no  -1  yes
  send_invoice         open          yes 1   no
  send_invoice         open          yes -1  yes
  send_invoice         paid          no  -1  no
  send_invoice         void          no  -1  no
  send_invoice         uncollectible no  -1  no
`

for (const line of PAST_DUE.trim().split('\n')) {
  const [method, status, tried, due = '', isBehind] = line.trim().split(/\s+/)
  const title = `${method}, ${status}, ${tried === 'yes' ? 'attempted' : 'not attempted'}, ${due === '-' ? 'no due date' : `due in ${due} s`}`
  test(`an invoice (${title}) is ${isBehind === 'yes' ? '' : 'not '}past due`, () => {
    const invoice = {
      ...open,
      collection_method: method,
      status,
      attempted: tried === 'yes',
      due_date: due === '-' ? null : START + Number(due),
    } as Invoice
    assert.is(isInvoicePastDue(invoice, START), isBehind === 'yes')
  })
}

test.run()
