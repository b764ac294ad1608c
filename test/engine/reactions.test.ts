import { creation, mutation, removal } from '../../src/domain/changes.ts'
import { createCustomer, markCustomerDeleted, updateCustomer } from '../../src/domain/customers.ts'
import { attachCard, type CardDetails, detachCard } from '../../src/domain/payment-methods.ts'
import { applyReactions } from '../../src/engine/reactions.ts'
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

function prepare() {
  const sandbox = createSandbox()
  const context = sandbox.context()
  const made = createCustomer({ email: 'ada@example.com' }, context)
  const attach = () =>
    attachCard({ id: context.newId('pm_'), customer: made.after, card: CARD, name: null }, context)
  return { reader: sandbox.store, context, made, attach }
}

const eventTypes = (changes: readonly { readonly event: string | null }[]) =>
  changes.map(({ event }) => event)

test('makes the first card of a customer the default, directly after its attachment', async () => {
  const { made, attach, ...dependencies } = prepare()
  const [first, last] = [attach(), creation(null, { id: 'x', object: 'authentication' })]
  const changes = await applyReactions([made, first, last], dependencies)
  assert.equal(eventTypes(changes), ['customer.created', 'payment_method.attached', 'customer.updated', null])
  assert.equal(changes[2]?.before, made.after)
  assert.equal(changes[2]?.after, { ...made.after, default_payment_method: first.after.id })
})

test('finds a customer that was changed earlier in the same transaction', async () => {
  const { made, attach, ...dependencies } = prepare()
  const named = mutation('customer.updated', made.after, updateCustomer(made.after, { name: 'Ada' }))
  const changes = await applyReactions([made, named, attach(), attach()], dependencies)
  assert.equal(eventTypes(changes), [
    'customer.created',
    'customer.updated',
    'payment_method.attached',
    'customer.updated',
    'payment_method.attached',
  ])
  assert.equal(changes[3]?.before, named.after)
})

test('finds a customer that is already stored', async () => {
  const { made, attach, ...dependencies } = prepare()
  await dependencies.reader.transact(async () => ({
    result: null,
    writes: [{ put: made.after }],
    events: [],
  }))
  assert.equal(eventTypes(await applyReactions([attach()], dependencies)), [
    'payment_method.attached',
    'customer.updated',
  ])
})

test('sets no default card for a deleted or unknown customer', async () => {
  const { made, attach, ...dependencies } = prepare()
  assert.equal(eventTypes(await applyReactions([attach()], dependencies)), ['payment_method.attached'])
  const deleted = await applyReactions([made, markCustomerDeleted(made.after), attach()], dependencies)
  assert.is(deleted.length, 3)
})

test('distinguishes records of different types with the same id', async () => {
  const { made, attach, ...dependencies } = prepare()
  const twin = creation(null, { id: made.after.id, object: 'authentication' })
  const changes = await applyReactions([made, twin, attach(), removal(twin.after)], dependencies)
  assert.is(changes[3]?.after?.object, 'customer')
})

test('sets no default card when a card is detached', async () => {
  const { made, attach, ...dependencies } = prepare()
  const card = attach().after
  assert.equal(eventTypes(await applyReactions([detachCard(card)], dependencies)), [
    'payment_method.detached',
  ])
})

test.run()
