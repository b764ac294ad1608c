import { Books } from '../../src/domain/billing-unit-of-work.ts'
import { countUp, INVOICE_COUNTER } from '../../src/domain/counters.ts'
import { voidInvoice } from '../../src/domain/invoice-collection.ts'
import { fallBehind } from '../../src/domain/subscriptions.ts'
import { anAccount, anInvoice } from '../support/account-samples.ts'
import { told } from '../support/domain-samples.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { createWorld } from '../support/world.ts'

const test = suite('domain/books')

const world = createWorld()

test('what comes later in the same trigger sees what was written down before', () => {
  const [first, second] = [anInvoice(world), anInvoice(world)]
  const books = new Books(anAccount(world, { invoices: [first] }), world)
  books.add(...fallBehind(books.subscription), voidInvoice(first, world))
  books.add({ event: 'invoice.created', before: null, after: second })
  books.add(countUp(books.invoiceCounter, INVOICE_COUNTER))
  assert.is(books.subscription.status, 'past_due')
  assert.equal(
    books.invoices.map(({ id, status }) => [id, status]),
    [
      [first.id, 'void'],
      [second.id, 'open'],
    ],
  )
  assert.is(books.invoiceCounter?.value, 1)
  assert.equal(told(books.changes), ['subscription.past_due', 'invoice.voided', 'invoice.created', '-'])
})

test('an account that nothing was done to has nothing written down', () => {
  const account = anAccount(world)
  const books = new Books(account, world)
  assert.equal([books.changes, books.invoices, books.invoiceCounter], [[], [], null])
  assert.equal(
    [books.subscription, books.customer, books.card],
    [account.subscription, account.customer, account.card],
  )
})

test('alternating charges are counted apart from invoices, each telling how many came before', () => {
  const books = new Books(anAccount(world), world)
  assert.equal([books.countAlternation(), books.countAlternation(), books.countAlternation()], [0, 1, 2])
  assert.is(books.invoiceCounter, null)
  assert.equal(
    books.changes.map(({ after }) => after?.id),
    Array.from({ length: 3 }, () => `every_other:${books.subscription.customer}`),
  )
})

test('only a live customer can be billed', async () => {
  const { subscription } = anAccount(world)
  const stub = { id: subscription.customer, object: 'customer', deleted: true } as const
  for (const customer of [stub, null]) {
    const books = new Books(anAccount(world, { customer }), world)
    assert.is((await refusal(() => books.customer)).code, 'resource_missing')
  }
})

test.run()
