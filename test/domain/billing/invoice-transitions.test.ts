import {
  isInvoicePastDue,
  markInvoicePaidOutOfBand,
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

test('voiding an invoice or marking it uncollectible stops its collection', () => {
  const tried = { ...open, next_payment_attempt: START + DAY }
  const uncollected = { ...open, auto_advance: false }
  const [voided, written] = [markInvoiceVoid(tried, context), markInvoiceUncollectible(tried, context)]
  assert.equal([voided.event, written.event], ['invoice.voided', 'invoice.marked_uncollectible'])
  assert.equal(voided.after, { ...uncollected, status: 'void', voided_at: START })
  const uncollectible = { status: 'uncollectible', marked_uncollectible_at: START }
  assert.equal(written.after, { ...uncollected, ...uncollectible })
})

/** collection method, status, attempted or a debit without an outcome, due date in seconds from now, past due */
const PAST_DUE = `
  charge_automatically open          no  -   no
  charge_automatically open          yes -   yes
  charge_automatically open          debit -   no
  charge_automatically draft         no  -   no
  charge_automatically paid          yes -   no
  charge_automatically void          yes -   no
  send_invoice         open          no  1   no
  send_invoice         open          no  0   yes
  send_invoice         open          yes -1  yes
  send_invoice         uncollectible no  -1  no
`

for (const line of PAST_DUE.trim().split('\n')) {
  const [method, status, tried, due = '', isBehind] = line.trim().split(/\s+/)
  const title = `${method}, ${status}, ${{ yes: 'attempted', no: 'not attempted', debit: 'debited' }[tried ?? '']}, ${due === '-' ? 'no due date' : `due in ${due} s`}`
  test(`an invoice (${title}) is ${isBehind === 'yes' ? '' : 'not '}past due`, () => {
    const invoice = {
      ...open,
      collection_method: method,
      status,
      attempted: tried !== 'no',
      last_payment_error: tried === 'yes' ? { code: 'card_declined', decline_code: null, message: '' } : null,
      due_date: due === '-' ? null : START + Number(due),
    } as Invoice
    assert.is(isInvoicePastDue(invoice, START), isBehind === 'yes')
  })
}

test.run()
