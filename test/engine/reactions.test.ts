import { creation, mutation, removal } from '../../src/domain/changes.ts'
import { createCustomer, customerDeleted, updateCustomer } from '../../src/domain/customers.ts'
import { attachCard, type CardDetails, detachCard } from '../../src/domain/payment-methods.ts'
import { react } from '../../src/engine/reactions.ts'
import { createSandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/reactions')

const CARD: CardDetails = {
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2031,
  funding: 'credit',
  country: 'US',
  fingerprint: '0123456789abcdef',
  test_behavior: 'always_succeeds',
}

function setting() {
  const sandbox = createSandbox()
  const context = sandbox.context()
  const made = createCustomer({ email: 'ada@example.com' }, context)
  const attach = () =>
    attachCard({ id: context.newId('pm_'), customer: made.after, card: CARD, name: null }, context)
  return { reader: sandbox.store, context, made, attach }
}

const told = (changes: readonly { readonly event: string | null }[]) => changes.map(({ event }) => event)

test('the first card becomes the default, told right behind its cause', async () => {
  const { made, attach, ...surroundings } = setting()
  const [first, last] = [attach(), creation(null, { id: 'x', object: 'authentication' })]
  const changes = await react([made, first, last], surroundings)
  assert.equal(told(changes), ['customer.created', 'payment_method.attached', 'customer.updated', null])
  assert.equal(changes[2]?.before, made.after)
  assert.equal(changes[2]?.after, { ...made.after, default_payment_method: first.after.id })
})

test('a reaction sees what was decided before it in the same transaction', async () => {
  const { made, attach, ...surroundings } = setting()
  const named = mutation('customer.updated', made.after, updateCustomer(made.after, { name: 'Ada' }))
  const changes = await react([made, named, attach(), attach()], surroundings)
  assert.equal(told(changes), [
    'customer.created',
    'customer.updated',
    'payment_method.attached',
    'customer.updated',
    'payment_method.attached',
  ])
  assert.equal(changes[3]?.before, named.after)
})

test('a reaction sees what is stored', async () => {
  const { made, attach, ...surroundings } = setting()
  await surroundings.reader.transact(async () => ({
    result: null,
    writes: [{ put: made.after }],
    events: [],
  }))
  assert.equal(told(await react([attach()], surroundings)), ['payment_method.attached', 'customer.updated'])
})

test('nobody reacts for a customer who is deleted or unknown', async () => {
  const { made, attach, ...surroundings } = setting()
  assert.equal(told(await react([attach()], surroundings)), ['payment_method.attached'])
  const deleted = await react([made, customerDeleted(made.after), attach()], surroundings)
  assert.is(deleted.length, 3)
})

test('a record of another kind under the same id is not taken for the one asked for', async () => {
  const { made, attach, ...surroundings } = setting()
  const twin = creation(null, { id: made.after.id, object: 'authentication' })
  const changes = await react([made, twin, attach(), removal(twin.after)], surroundings)
  assert.is(changes[3]?.after?.object, 'customer')
})

test('detaching leads to nothing more', async () => {
  const { made, attach, ...surroundings } = setting()
  const card = attach().after
  assert.equal(told(await react([detachCard(card)], surroundings)), ['payment_method.detached'])
})

test.run()
