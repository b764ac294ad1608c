import { api } from '../../../src/api/index.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { type Awaited, parseWhere, waitForEvent } from '../../../src/cli/listen/event-wait.ts'
import { newestSequence } from '../../../src/cli/request/newest-event.ts'
import { withinMs } from '../../../src/client/pause.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { openReceiver } from '../../webhooks/receiver.ts'

const test = suite('cli/event-wait')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

const create = (email: string) => daemon.call(api.customers.create, { email })

const awaited = (fields: Partial<Awaited> = {}): Awaited => ({
  types: ['customer.created'],
  where: [],
  isDelivered: false,
  after: 0,
  ...fields,
})

const LONG = new AbortController().signal

test('what happened after a place in the sequence is found, the oldest first', async () => {
  const [first, second] = [await create('a@example.com'), await create('b@example.com')]
  const found = await waitForEvent(daemon.client, awaited(), LONG)
  assert.is(found.data.object.id, first.id)
  const next = await waitForEvent(daemon.client, awaited({ after: found.sequence }), LONG)
  assert.is(next.data.object.id, second.id)
})

test('what is yet to happen is waited for', async () => {
  const after = await newestSequence(daemon.client)
  const waiting = waitForEvent(daemon.client, awaited({ types: ['customer.updated'], after }), LONG)
  const { id } = await create('c@example.com')
  await daemon.call(api.customers.update, { id, name: 'Cy' })
  assert.is((await waiting).data.object.id, id)
})

test('fields decide, also null, inner ones and such as are not there', async () => {
  const { id } = await create('d@example.com')
  const where = parseWhere([`data.object.id=${id}`, 'data.object.name=null', 'data.object.metadata={}'])
  assert.is((await waitForEvent(daemon.client, awaited({ where }), LONG)).data.object.id, id)
  const never = parseWhere(['data.object.nowhere.to=be'])
  const nothing = await withinMs(20, (signal) =>
    waitForEvent(daemon.client, awaited({ where: never }), signal),
  )
  assert.is(nothing, null)
})

test('delivered means that every endpoint has taken it', async () => {
  const other = await openDaemon()
  const receiver = await openReceiver((_request, response) => {
    response.statusCode = receiver.received.length < 2 ? 500 : 200
    response.end()
  })
  await other.call(api.webhookEndpoints.create, { url: receiver.url })
  await other.call(api.customers.create, { email: 'e@example.com' })
  let isOver = false
  const waiting = waitForEvent(other.client, awaited({ isDelivered: true }), LONG).finally(() => {
    isOver = true
  })
  await receiver.has(1)
  await other.tick()
  assert.is(isOver, false)
  other.clock.move(3600)
  assert.is((await waiting).pending_webhooks, 0)
  assert.is(receiver.received.length, 2)
  await other.stop()
  await receiver.close()
})

test('a condition is a path and a value', () => {
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

test('the newest place in the sequence is that of no clock in the future', async () => {
  const { id } = await daemon.call(api.testClocks.create, { frozen_time: daemon.clock.now() + 86_400 })
  await daemon.call(api.customers.create, { email: 'f@example.com', test_clock: id })
  for (let count = 0; count < 120; count += 1) await create('g@example.com')
  const newest = await newestSequence(daemon.client)
  const { data } = await daemon.call(api.events.list, { sequence: { gte: newest } })
  assert.equal(
    data.map(({ sequence }) => sequence),
    [newest],
  )
})

test.run()
