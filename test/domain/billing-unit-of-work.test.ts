import { BillingUnitOfWork } from '../../src/domain/billing-unit-of-work.ts'
import { countUp, INVOICE_COUNTER } from '../../src/domain/counters.ts'
import { voidInvoice } from '../../src/domain/invoice-collection.ts'
import { fallBehind } from '../../src/domain/subscriptions.ts'
import { anAccount, anInvoice } from '../support/account-samples.ts'
import { told } from '../support/domain-samples.ts'
import { createRuleContext } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/billing')

const context = createRuleContext()

test('what comes later in the same trigger sees what was written down before', () => {
  const [first, second] = [anInvoice(context), anInvoice(context)]
  const billing = new BillingUnitOfWork(anAccount(context, { invoices: [first] }), context)
  billing.add(...fallBehind(billing.subscription), voidInvoice(first, context))
  billing.add({ event: 'invoice.created', before: null, after: second })
  billing.add(countUp(billing.invoiceCounter, INVOICE_COUNTER))
  assert.is(billing.subscription.status, 'past_due')
  assert.equal(
    billing.invoices.map(({ id, status }) => [id, status]),
    [
      [first.id, 'void'],
      [second.id, 'open'],
    ],
  )
  assert.is(billing.invoiceCounter?.value, 1)
  assert.equal(told(billing.changes), ['subscription.past_due', 'invoice.voided', 'invoice.created', '-'])
})

test('an account that nothing was done to has nothing written down', () => {
  const account = anAccount(context)
  const billing = new BillingUnitOfWork(account, context)
  assert.equal([billing.changes, billing.invoices, billing.invoiceCounter], [[], [], null])
  assert.equal(
    [billing.subscription, billing.customer, billing.card],
    [account.subscription, account.customer, account.card],
  )
})

test('alternating charges are counted apart from invoices, each telling how many came before', () => {
  const billing = new BillingUnitOfWork(anAccount(context), context)
  assert.equal(
    [billing.countAlternation(), billing.countAlternation(), billing.countAlternation()],
    [0, 1, 2],
  )
  assert.is(billing.invoiceCounter, null)
  assert.equal(
    billing.changes.map(({ after }) => after?.id),
    Array.from({ length: 3 }, () => `every_other:${billing.subscription.customer}`),
  )
})

test('only a live customer can be billed', async () => {
  const { subscription } = anAccount(context)
  const stub = { id: subscription.customer, object: 'customer', deleted: true } as const
  for (const customer of [stub, null]) {
    const billing = new BillingUnitOfWork(anAccount(context, { customer }), context)
    assert.is((await refusal(() => billing.customer)).code, 'resource_missing')
  }
})

test.run()
