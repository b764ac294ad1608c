import {
  failInvoicePayment,
  isInArrears,
  markInvoiceUncollectible,
  overdueInvoice,
  payInvoice,
  payOutOfBand,
  skipInvoicePayment,
  voidInvoice,
  whenDue,
} from '../../src/domain/invoice-collection.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import { anInvoice } from '../support/account-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/invoice-collection')

const context = createRuleContext()
const open = anInvoice(context)
const ERROR = { code: 'card_declined', decline_code: 'generic_decline', message: 'No.' }

/** attempts before, by whom, attempts after: the first of any kind counts, afterwards only automatic ones */
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
  test(`after ${before} attempts one that is ${by} makes ${after}, whether it fails or not`, () => {
    const attempt_count = Number(before)
    const invoice = { ...open, attempt_count, attempted: attempt_count > 0, latest_payment: 'py_0' }
    const attempt = { isAutomatic: by === 'automatic', payment: 'py_1' }
    const failed = failInvoicePayment(invoice, { ...attempt, error: ERROR, next: START + DAY })
    const paid = payInvoice(invoice, attempt, context)
    for (const change of [failed, paid]) {
      const { attempted, latest_payment } = change.after
      assert.equal([change.after.attempt_count, attempted, latest_payment], [Number(after), true, 'py_1'])
    }
  })
}

test('a failed attempt leaves the invoice open, with why and when next', () => {
  const failed = failInvoicePayment(open, { isAutomatic: true, payment: null, error: ERROR, next: START })
  assert.is(failed.event, 'invoice.payment_failed')
  assert.equal(failed.after, {
    ...open,
    attempted: true,
    attempt_count: 1,
    next_payment_attempt: START,
    last_payment_error: ERROR,
  })
  const asks = { ...ERROR, code: 'authentication_required', decline_code: null }
  const asked = failInvoicePayment(open, { isAutomatic: true, payment: 'py_1', error: asks, next: null })
  assert.is(asked.event, 'invoice.payment_action_required')
})

test('a payment that succeeds forgets why the one before failed', () => {
  const tried = { ...open, last_payment_error: ERROR, next_payment_attempt: START + DAY }
  const { after } = payInvoice(tried, { isAutomatic: false, payment: 'py_1' }, context)
  assert.equal(
    [after.last_payment_error, after.next_payment_attempt, after.auto_advance],
    [null, null, false],
  )
})

test('what was paid elsewhere has no payment and counts no attempt', () => {
  const { event, after } = payOutOfBand(open, createRuleContext(START + 9))
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

test('a skipped attempt counts and leaves everything else as it was', () => {
  const { event, after } = skipInvoicePayment({ ...open, attempt_count: 1 }, START + DAY)
  assert.is(event, 'invoice.updated')
  assert.equal(after, { ...open, attempt_count: 2, next_payment_attempt: START + DAY })
})

test('voiding and writing off end the collection', () => {
  const tried = { ...open, next_payment_attempt: START + DAY }
  const uncollected = { ...open, auto_advance: false }
  const [voided, written] = [voidInvoice(tried, context), markInvoiceUncollectible(tried, context)]
  assert.equal([voided.event, written.event], ['invoice.voided', 'invoice.marked_uncollectible'])
  assert.equal(voided.after, { ...uncollected, status: 'void', voided_at: START })
  const uncollectible = { status: 'uncollectible', marked_uncollectible_at: START }
  assert.equal(written.after, { ...uncollected, ...uncollectible })
})

test('an invoice with a due date has a timer for it, and passing it changes nothing', () => {
  assert.equal(whenDue(open), [])
  const sent = { ...open, due_date: START + DAY, test_clock: 'clock_1' }
  const timer = { id: open.id, object: 'timer', what: 'invoice_overdue', at: START + DAY }
  assert.equal(
    whenDue(sent).map(({ after }) => after),
    [{ ...timer, test_clock: 'clock_1' }],
  )
  const { event, before, after } = overdueInvoice(sent)
  assert.equal([event, before, after], ['invoice.overdue', sent, sent])
})

/** collection, state, tried, due date in seconds from now, in arrears */
const ARREARS = `
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

for (const line of ARREARS.trim().split('\n')) {
  const [method, status, tried, due = '', isBehind] = line.trim().split(/\s+/)
  const title = `${method}, ${status}, ${tried === 'yes' ? 'tried' : 'not tried'}, due in ${due}`
  test(`${title} is ${isBehind === 'yes' ? '' : 'not '}in arrears`, () => {
    const invoice = {
      ...open,
      collection_method: method,
      status,
      attempted: tried === 'yes',
      due_date: due === '-' ? null : START + Number(due),
    } as Invoice
    assert.is(isInArrears(invoice, START), isBehind === 'yes')
  })
}

test.run()
