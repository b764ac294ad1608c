import { api } from '../../src/api/api.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { loadCustomerDependents, loadEndpointDependents } from '../../src/engine/load-related.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { createSandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/load-related')

test('loads the dependents of a customer from all pages, oldest first', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  await newCheckout(sandbox)
  const ids: string[] = []
  for (let made = 0; made < 130; made += 1) {
    ids.push((await newPaymentSession(sandbox, { customer })).id)
  }
  const dependents = await loadCustomerDependents(sandbox.store, customer)
  assert.equal(
    dependents.sessions.map(({ session }) => session.id),
    ids,
  )
  assert.equal([dependents.subscriptions, dependents.invoices, dependents.paymentMethods], [[], [], []])
})

test('loads pending authentications, live subscriptions, unpaid invoices and cards', async () => {
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
  const { sessions, subscriptions, invoices, paymentMethods } = await loadCustomerDependents(
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

test('deletes a customer with many sessions in one transaction', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  for (let made = 0; made < 220; made += 1) await newPaymentSession(sandbox, { customer })
  await sandbox.call(api.customers.delete, { id: customer })
  const types = (await sandbox.events()).slice(221).map(({ type }) => type)
  assert.equal(types, [...Array.from({ length: 220 }, () => 'payment_session.expired'), 'customer.deleted'])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('loads the pending deliveries of an endpoint', async () => {
  const sandbox = createSandbox()
  const hook = { url: 'http://127.0.0.1:9/hook' }
  const { id } = await sandbox.call(api.webhookEndpoints.create, hook)
  await sandbox.call(api.webhookEndpoints.create, hook)
  for (let made = 0; made < 120; made += 1) await newCustomer(sandbox)
  const { pending } = await loadEndpointDependents(sandbox.store, id)
  assert.is(pending.length, 120)
  assert.ok(pending.every(({ webhook_endpoint }) => webhook_endpoint === id))
})

test.run()
