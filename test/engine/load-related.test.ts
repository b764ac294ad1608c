import { api } from '../../src/api/index.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { loadCustomerBelongings, loadEndpointBelongings } from '../../src/engine/load-related.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { createSandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/belongings')

test('all that lives of a customer is found, page after page, oldest first, and nothing of others', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  await newCheckout(sandbox)
  const ids: string[] = []
  for (let made = 0; made < 130; made += 1) {
    ids.push((await newPaymentSession(sandbox, { customer })).id)
  }
  const belongings = await loadCustomerBelongings(sandbox.store, customer)
  assert.equal(
    belongings.sessions.map(({ session }) => session.id),
    ids,
  )
  assert.equal([belongings.subscriptions, belongings.invoices, belongings.paymentMethods], [[], [], []])
})

test('whom a session waits for, live subscriptions, unpaid invoices and cards belong to a customer', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const [paid, sent, waiting, closed] = [
    await newCheckout(sandbox, {}, { customer }),
    await newCheckout(sandbox, { collection_method: 'send_invoice' }, { customer }),
    await newPaymentSession(sandbox, { customer }),
    await newPaymentSession(sandbox, { customer }),
  ]
  await sandbox.submit(paid.id, typed(CARDS.visa))
  await sandbox.submit(sent.id, {})
  await sandbox.submit(waiting.id, typed(CARDS.sca))
  await sandbox.call(api.paymentSessions.expire, { id: closed.id })
  const { sessions, subscriptions, invoices, paymentMethods } = await loadCustomerBelongings(
    sandbox.store,
    customer,
  )
  assert.equal(
    sessions.map(({ session, authentication, payment }) => [session.id, authentication?.id, payment?.status]),
    [[waiting.id, waiting.id, 'requires_action']],
  )
  assert.is(subscriptions.length, 2)
  assert.equal(
    invoices.map(({ invoice }) => invoice.status),
    ['open'],
  )
  assert.is(paymentMethods.length, 1)
})

test('a customer with very many sessions is deleted in one transaction', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  for (let made = 0; made < 220; made += 1) await newPaymentSession(sandbox, { customer })
  await sandbox.call(api.customers.delete, { id: customer })
  const types = (await sandbox.events()).slice(221).map(({ type }) => type)
  assert.equal(types, [...Array.from({ length: 220 }, () => 'payment_session.expired'), 'customer.deleted'])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('the deliveries that still wait for an endpoint are found', async () => {
  const sandbox = createSandbox()
  const hook = { url: 'http://127.0.0.1:9/hook' }
  const { id } = await sandbox.call(api.webhookEndpoints.create, hook)
  await sandbox.call(api.webhookEndpoints.create, hook)
  for (let made = 0; made < 120; made += 1) await newCustomer(sandbox)
  const { pending } = await loadEndpointBelongings(sandbox.store, id)
  assert.is(pending.length, 120)
  assert.ok(pending.every(({ webhook_endpoint }) => webhook_endpoint === id))
})

test.run()
