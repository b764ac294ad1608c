import { api } from '../../../src/api/api.ts'
import { ExpectationError } from '../../../src/cli/errors/expectation-error.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import {
  type EventCondition,
  parseWhere,
  waitForEventWithin,
  waitForMatchingEvent,
} from '../../../src/cli/listen/event-condition.ts'
import { readNewestSequence } from '../../../src/cli/request/recent-events.ts'
import { createSandbox } from '../../../src/client/create-sandbox.ts'
import { runWithTimeout } from '../../../src/client/timing.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'

const test = suite('cli/event-condition')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

const create = (email: string) => daemon.call(api.customers.create, { email })

const condition = (fields: Partial<EventCondition> = {}): EventCondition => ({
  types: ['customer.created'],
  where: [],
  isDelivered: false,
  endpoint: null,
  after: 0,
  ...fields,
})

const sourceOf = ({ client, location }: TestDaemon) => ({
  client,
  connection: { apiBase: location.api_url, apiKey: location.api_key },
})

const NO_TIMEOUT = new AbortController().signal

const find = (fields?: Partial<EventCondition>) =>
  waitForMatchingEvent(sourceOf(daemon).connection, condition(fields), NO_TIMEOUT)

test('finds the oldest event after a sequence number', async () => {
  const [first, second] = [await create('a@example.com'), await create('b@example.com')]
  const found = await find()
  assert.is(found.data.object.id, first.id)
  const next = await find({ after: found.sequence })
  assert.is(next.data.object.id, second.id)
})

test('waits for a matching event that occurs later', async () => {
  const after = await readNewestSequence(daemon.client)
  const waiting = find({ types: ['customer.updated'], after })
  const { id } = await create('c@example.com')
  await daemon.call(api.customers.update, { id, name: 'Cy' })
  assert.is((await waiting).data.object.id, id)
})

test('finds an event after a reset of the sandbox, and no event before the reset', async () => {
  const { location } = daemon
  const server = { apiBase: location.api_url, apiKey: location.api_key }
  const sandbox = await createSandbox(server)
  const { client, apiKey, apiBase } = sandbox
  for (const email of ['a@example.com', 'b@example.com']) await client.call(api.customers.create, { email })
  const after = await readNewestSequence(client)
  const ready = Promise.withResolvers<void>()
  const waiting = waitForMatchingEvent({ apiBase, apiKey }, condition({ after }), NO_TIMEOUT, ready.resolve)
  await ready.promise
  await sandbox.reset()
  const { id } = await client.call(api.customers.create, { email: 'c@example.com' })
  const found = await waiting
  assert.equal([found.sequence, found.data.object.id], [1, id])
  await sandbox.delete()
})

test('matches events by nested, null and missing fields', async () => {
  const { id } = await create('d@example.com')
  const where = parseWhere([`data.object.id=${id}`, 'data.object.name=null', 'data.object.metadata={}'])
  assert.is((await find({ where })).data.object.id, id)
  const never = parseWhere(['data.object.nowhere.to=be'])
  const nothing = await runWithTimeout(20, (signal) =>
    waitForMatchingEvent(sourceOf(daemon).connection, condition({ where: never }), signal),
  )
  assert.is(nothing, null)
})

test('waits until every endpoint has accepted the event', async () => {
  const other = await openDaemon()
  const receiver = await openWebhookServer((_request, response) => {
    response.statusCode = receiver.received.length < 2 ? 500 : 200
    response.end()
  })
  await other.call(api.webhookEndpoints.create, { url: receiver.url })
  await other.call(api.customers.create, { email: 'e@example.com' })
  let isOver = false
  const within = { glob: 'customer.created', timeout: '1d', seconds: 86_400 }
  const waiting = waitForEventWithin(sourceOf(other), condition({ isDelivered: true }), within).finally(
    () => {
      isOver = true
    },
  )
  await receiver.waitFor(1)
  await other.tick()
  assert.is(isOver, false)
  other.clock.move(3600)
  assert.is((await waiting).pending_webhooks, 0)
  assert.is(receiver.received.length, 2)
  await other.stop()
  await receiver.close()
})

test('waits for one endpoint only, and reports the response of each endpoint after the timeout', async () => {
  const other = await openDaemon()
  const good = await openWebhookServer()
  const bad = await openWebhookServer((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  const accepting = await other.call(api.webhookEndpoints.create, { url: good.url })
  const failing = await other.call(api.webhookEndpoints.create, { url: bad.url })
  const { id: endpoint } = await other.call(api.webhookEndpoints.create, {
    url: good.url,
    enabled_events: ['invoice.paid'],
  })
  await other.call(api.customers.create, { email: 'h@example.com' })
  await other.tick()
  await Promise.all([good.waitFor(1), bad.waitFor(1)])
  await other.tick()
  const wait = (fields: Partial<EventCondition>) =>
    waitForEventWithin(sourceOf(other), condition(fields), {
      glob: 'customer.*',
      timeout: '1s',
      seconds: 0.3,
    })
  assert.is((await wait({ endpoint: accepting.id })).type, 'customer.created')

  const failure = async (fields: Partial<EventCondition>) => {
    const error = await wait(fields).catch((thrown: unknown) => thrown)
    assert.instance(error, ExpectationError)
    return error as ExpectationError
  }
  const { message, hint } = await failure({ isDelivered: true })
  assert.match(message, /^The event customer\.created evt_\w+ occurred but was not delivered within 1s\. /)
  assert.match(
    message,
    `${failing.id} (${bad.url}) failed at attempt 1: The endpoint returned 500: expected 2xx.`,
  )
  assert.match(message, /Next attempt: \d{4}-\d\d-\d\dT/)
  assert.not.match(message, accepting.id)
  assert.match(hint ?? '', /^See the response: paycli webhooks deliveries retrieve whd_/)
  const unrelated = await failure({ endpoint })
  assert.match(
    unrelated.message,
    `The endpoint ${endpoint} does not exist or does not receive customer.created events.`,
  )
  await other.call(api.webhookEndpoints.update, { id: failing.id, status: 'disabled' })
  await other.call(api.customers.create, { email: 'i@example.com' })
  await other.tick()
  const after = (await readNewestSequence(other.client)) - 1
  const skipped = await failure({ endpoint: failing.id, after })
  assert.match(skipped.message, 'was not enabled, so attempt 1 was skipped.')
  assert.match(
    skipped.hint ?? '',
    `Enable the endpoint: paycli webhooks endpoints update ${failing.id} --status enabled.`,
  )
  const none = await failure({ types: ['customer.deleted'] })
  assert.is(none.message, 'No customer.* event occurred within 1s.')
  await other.stop()
  await Promise.all([good.close(), bad.close()])
})

test('parses path=value filters and rejects a filter without a path or value', () => {
  assert.equal(parseWhere(['a.b=c=d', 'e=']), [
    ['a.b', 'c=d'],
    ['e', ''],
  ])
  for (const text of ['a', '=b'])
    assert.throws(
      () => parseWhere([text]),
      (error: unknown) => error instanceof UsageError,
    )
})

test('readNewestSequence returns the highest sequence number, even if a test clock is ahead of real time', async () => {
  const { id } = await daemon.call(api.testClocks.create, { frozen_time: daemon.clock.now() + 86_400 })
  await daemon.call(api.customers.create, { email: 'f@example.com', test_clock: id })
  for (let count = 0; count < 120; count += 1) await create('g@example.com')
  const newest = await readNewestSequence(daemon.client)
  const { data } = await daemon.call(api.events.list, { sequence: { gte: newest } })
  assert.equal(
    data.map(({ sequence }) => sequence),
    [newest],
  )
})

test.run()
