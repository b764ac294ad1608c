import { BillingUnitOfWork } from '../../src/domain/billing-unit-of-work.ts'
import { INVOICE_COUNTER_ID, incrementCounter } from '../../src/domain/counters.ts'
import { markInvoiceVoid } from '../../src/domain/invoice-transitions.ts'
import { markPastDue } from '../../src/domain/subscriptions.ts'
import { anAccount, anInvoice } from '../support/account-samples.ts'
import { catchDomainError } from '../support/catch-domain-error.ts'
import { eventTypesOf } from '../support/domain-samples.ts'
import { createRuleContext } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/billing-unit-of-work')

const context = createRuleContext()

test('a step reads the changes of earlier steps in the same unit of work', () => {
  const [first, second] = [anInvoice(context), anInvoice(context)]
  const billing = new BillingUnitOfWork(anAccount(context, { invoices: [first] }), context)
  billing.add(...markPastDue(billing.subscription), markInvoiceVoid(first, context))
  billing.add({ event: 'invoice.created', before: null, after: second })
  billing.add(incrementCounter(billing.invoiceCounter, INVOICE_COUNTER_ID))
  assert.is(billing.subscription.status, 'past_due')
  assert.equal(
    billing.invoices.map(({ id, status }) => [id, status]),
    [
      [first.id, 'void'],
      [second.id, 'open'],
    ],
  )
  assert.is(billing.invoiceCounter?.value, 1)
  assert.equal(eventTypesOf(billing.changes), [
    'subscription.past_due',
    'invoice.voided',
    'invoice.created',
    '-',
  ])
})

test('a new unit of work has no changes', () => {
  const account = anAccount(context)
  const billing = new BillingUnitOfWork(account, context)
  assert.equal([billing.changes, billing.invoices, billing.invoiceCounter], [[], [], null])
  assert.equal(
    [billing.subscription, billing.customer, billing.card],
    [account.subscription, account.customer, account.card],
  )
})

test('counts alternating charges separately from invoice numbers, and returns the number of earlier charges', () => {
  const billing = new BillingUnitOfWork(anAccount(context), context)
  assert.equal(
    [billing.countAlternatingCharge(), billing.countAlternatingCharge(), billing.countAlternatingCharge()],
    [0, 1, 2],
  )
  assert.is(billing.invoiceCounter, null)
  assert.equal(
    billing.changes.map(({ after }) => after?.id),
    Array.from({ length: 3 }, () => `every_other:${billing.subscription.customer}`),
  )
})

test('throws resource_missing for a deleted customer', async () => {
  const { subscription } = anAccount(context)
  const customer = { id: subscription.customer, object: 'customer', deleted: true } as const
  const billing = new BillingUnitOfWork(anAccount(context, { customer }), context)
  assert.is((await catchDomainError(() => billing.customer)).code, 'resource_missing')
})

test.run()
