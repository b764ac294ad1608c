import { api } from '../../../src/api/api.ts'
import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import type { Fault } from '../../../src/domain/faults/faults.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/faults')

const { faults } = api
const HOOK = { url: 'http://127.0.0.1:3000/hook' }

testDomainErrors(test, {
  operation: faults.create,
  prepare: async () => ({ body: { type: 'error' } }),
  table: `
  no type                                   parameter_missing
  type = "errors"                           parameter_invalid_enum
  type = "restart"                          parameter_invalid_enum
  match = "customers.*"                     parameter_invalid_type
  match = {"operations":"*"}                parameter_unknown     at match[operations] try operation
  match = {"operation":"orders.create"}     operation_unknown     at match[operation]
  match = {"operation":"faults.*"}          operation_unknown     at match[operation]
  match = {"operation":""}                  parameter_invalid_string     at match[operation]
  match = {"event_type":"payment.*"}        parameters_exclusive     at match[event_type]
  match = {"customer":"cus_none"}           resource_missing     at match[customer]
  http_status = 404                         parameter_invalid_enum
  http_status = "unavailable"               parameter_invalid_integer
  retry_after = -1                          parameter_invalid_integer
  delay_ms = 5                              parameters_exclusive
  skip = -1                                 parameter_invalid_integer
  times = 0                                 parameter_invalid_integer
  probability = 0                           parameter_invalid_integer
  probability = 101                         parameter_invalid_integer
  seed = ""                                 parameter_invalid_string
  seed = text(101)                          parameter_invalid_string
  expires_at = 1700000000                   timestamp_invalid
  time = 2                                  parameter_unknown     try times
  `,
})

testDomainErrors(test, {
  operation: faults.create,
  prepare: async () => ({ body: { type: 'duplicate' } }),
  table: `
  match = {"event_type":"payment"}          event_type_unknown     at match[event_type]
  match = {"webhook_endpoint":"we_none"}    resource_missing     at match[webhook_endpoint]
  match = {"operation":"*"}                 parameters_exclusive     at match[operation]
  copies = 1                                parameter_invalid_integer
  copies = 11                               parameter_invalid_integer
  order = "random"                          parameter_invalid_enum
  `,
})

test('creates, lists, retrieves and deletes faults', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id: webhook_endpoint } = await sandbox.call(api.webhookEndpoints.create, HOOK)
  const hold = await sandbox.call(faults.create, { type: 'hold', match: { customer, webhook_endpoint } })
  assert.equal(hold.match, { operation: null, event_type: null, webhook_endpoint, customer })
  const error = await sandbox.call(faults.create, { type: 'error', match: { operation: 'refunds.*' } })
  const list = await sandbox.call(faults.list, {})
  assert.is(list.url, '/v1/test_helpers/faults')
  assert.equal(list.data, [error, hold])
  assert.equal(await sandbox.call(faults.retrieve, { id: hold.id }), hold)
  const deleted = await sandbox.call(faults.delete, { id: hold.id })
  assert.equal(deleted, { id: hold.id, object: 'fault', deleted: true })
  for (const operation of [faults.retrieve, faults.delete]) {
    const { code, message } = await catchDomainError(sandbox.call(operation, { id: hold.id }))
    assert.is(code, 'resource_missing')
    assert.match(message, 'GET /v1/test_helpers/faults')
  }
  assert.equal((await sandbox.call(faults.list, {})).data, [error])
})

test('clear deletes all faults, and succeeds without faults', async () => {
  const sandbox = createSandbox()
  for (const type of ['swap', 'error', 'decline'] as const) await sandbox.call(faults.create, { type })
  const cleared = { object: 'fault_deletion', released: 0 }
  assert.equal(await sandbox.call(faults.clear, {}), { ...cleared, deleted: 3 })
  assert.equal((await sandbox.call(faults.list, {})).data, [])
  assert.equal(await sandbox.call(faults.clear, {}), { ...cleared, deleted: 0 })
})

test('creating and deleting a fault emits no events', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(faults.create, { type: 'swap' })
  await sandbox.call(faults.delete, { id })
  assert.equal(await sandbox.events(), [])
})

/** Stores one delivery for each case: held by `held`, delayed by `held`, held by `other`, retried, and succeeded. */
async function createDeliveries(sandbox: Sandbox, held: Fault, other: Fault): Promise<void> {
  await sandbox.call(api.webhookEndpoints.create, HOOK)
  for (let count = 0; count < 5; count += 1) await newCustomer(sandbox)
  const fields: readonly Partial<WebhookDelivery>[] = [
    { fault: held.id, next_attempt_at: null },
    { fault: held.id, next_attempt_at: START + 60 },
    { fault: other.id, next_attempt_at: null },
    { fault: null, next_attempt_at: START + 60 },
    { fault: held.id, next_attempt_at: null, status: 'succeeded' },
  ]
  await sandbox.store.transact(async (reader) => {
    const { data } = await reader.list('webhook_deliveries', { limit: 5 })
    const writes = data.toReversed().map((delivery, at) => ({ put: { ...delivery, ...fields[at] } }))
    return { result: null, writes, events: [] }
  })
}

async function dueTimes(sandbox: Sandbox): Promise<(number | null)[]> {
  const { data } = await sandbox.call(api.webhookDeliveries.list, {})
  return data.toReversed().map(({ next_attempt_at }) => next_attempt_at)
}

test('deleting a fault releases only the deliveries that the fault holds or delays', async () => {
  const sandbox = createSandbox()
  const held = await sandbox.call(faults.create, { type: 'hold' })
  const other = await sandbox.call(faults.create, { type: 'hold' })
  await createDeliveries(sandbox, held, other)
  sandbox.setClock(START + 5)
  await sandbox.call(faults.delete, { id: held.id })
  assert.equal(await dueTimes(sandbox), [START, START, null, START + 60, null])
})

test('clear releases the deliveries of all faults and returns their number', async () => {
  const sandbox = createSandbox()
  const held = await sandbox.call(faults.create, { type: 'hold' })
  const other = await sandbox.call(faults.create, { type: 'hold' })
  await createDeliveries(sandbox, held, other)
  sandbox.setClock(START + 5)
  const { deleted, released } = await sandbox.call(faults.clear, {})
  assert.equal([deleted, released], [2, 3])
  assert.equal(await dueTimes(sandbox), [START, START, START, START + 60, null])
})

test('adding and deleting faults updates the fault rules of the sandbox', async () => {
  const sandbox = createSandbox()
  const { faults: rules } = sandbox.runtime
  const kinds = () => (['request', 'delivery', 'payment'] as const).filter((kind) => rules.has(kind))
  const { id } = await sandbox.call(faults.create, { type: 'decline' })
  assert.equal(kinds(), ['payment'])
  await sandbox.call(faults.create, { type: 'swap' })
  assert.equal(kinds(), ['delivery', 'payment'])
  await sandbox.call(faults.delete, { id })
  assert.equal(kinds(), ['delivery'])
  await sandbox.call(faults.clear, {})
  assert.equal(kinds(), [])
})

test('the stored fault counts matching payments and payments to which it was applied', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(faults.create, { type: 'decline', times: 1 })
  const claim = () => sandbox.runtime.faults.select({ kind: 'payment', customer: null })
  assert.is((await claim())?.id, id)
  assert.is(await claim(), null)
  const { matched, applied } = await sandbox.call(faults.retrieve, { id })
  assert.equal([matched, applied], [2, 1])
})

test.run()
