import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { createClient } from '../../src/client/client.ts'
import { newFolder } from '../support/folders.ts'
import { freePort } from '../support/ports.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'
import { deliveriesOf, eventsOf, isReady, startListeningProcess } from './listening.ts'
import { startServing } from './serving.ts'

const test = suite('commands/webhooks/listen: kills')

const ROUNDS = isFullRun() ? 6 : 2
const EVENTS_PER_ROUND = 20

test('delivers every event once when the daemon is killed and the listener keeps running', async () => {
  const home = newFolder()
  const env = { PAYCLI_HOME: home }
  const receiver = await openWebhookServer()
  const flags = ['--db', join(home, 'db.json'), '--log-format', 'silent', '--port', String(await freePort())]
  let serving = await startServing(flags, env)
  const { api_url, api_key } = serving.location
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  const listening = startListeningProcess(['-f', `${receiver.port}`], {
    PAYCLI_API_BASE: api_url,
    PAYCLI_API_KEY: api_key,
  })
  await listening.until(isReady)
  const made: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = Array.from({ length: EVENTS_PER_ROUND }, (_, index) =>
      client.call(api.customers.create, { email: `r${round}n${index}@example.com` }),
    )
    made.push(...(await Promise.all(calls)).map(({ id }) => id))
    // The daemon is killed while deliveries are running.
    await receiver.waitFor(round * EVENTS_PER_ROUND + 5)
    serving.kill('SIGKILL')
    await serving.ended
    serving = await startServing(flags, env)
    await receiver.waitFor((round + 1) * EVENTS_PER_ROUND)
  }
  const shown = eventsOf(listening.records).map(({ data }) => data.object.id)
  assert.equal(shown.toSorted(), made.toSorted())
  const received = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.is(new Set(received).size, made.length)
  assert.is(received.length, made.length)
  listening.kill('SIGINT')
  await listening.ended
  assert.is(deliveriesOf(listening.records).length, made.length)
  serving.kill('SIGTERM')
  await Promise.all([serving.ended, receiver.close()])
})

/** A handler that holds back its responses until it is released. */
function createHandler() {
  const held: (() => void)[] = []
  let isHeld = false
  return {
    answer(_request: IncomingMessage, response: ServerResponse) {
      if (isHeld) held.push(() => response.end('late'))
      else response.end('ok')
    },
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const answer of held.splice(0)) answer()
    },
  }
}

test('delivers every event at least once, in order, after the listener is killed', async () => {
  const home = newFolder()
  const handler = createHandler()
  const receiver = await openWebhookServer(handler.answer)
  const serving = await startServing(['--memory', '--log-format', 'silent'], { PAYCLI_HOME: home })
  const { api_url, api_key } = serving.location
  const env = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  const start = async () => {
    const listening = startListeningProcess(['-f', `${receiver.port}`], env)
    await listening.until(isReady)
    return listening
  }
  let listening = await start()
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = receiver.received.length
    // The handler has received the request but not yet responded.
    handler.hold()
    const calls = Array.from({ length: EVENTS_PER_ROUND }, (_, index) =>
      client.call(api.customers.create, { email: `r${round}n${index}@example.com` }),
    )
    await Promise.all(calls)
    await receiver.waitFor(before + 1)
    listening.kill('SIGKILL')
    await listening.ended
    // In the first round, the handler responds before the next listener starts; in later rounds, after the start.
    if (round === 0) handler.release()
    listening = await start()
    handler.release()
    // The delivery that the killed listener did not finish is sent again.
    await receiver.waitFor(before + 1 + EVENTS_PER_ROUND)
  }
  const received = receiver.received.map(({ headers }) => headers['webhook-id'])
  const { data: events } = await client.call(api.events.list, { limit: 100 })
  // The order of simultaneous requests is not defined, but the order of the events is.
  assert.equal([...new Set(received)], events.map(({ id }) => id).toReversed())
  assert.is(received.length, ROUNDS * (EVENTS_PER_ROUND + 1))
  listening.kill('SIGINT')
  await listening.ended
  const { data } = await client.call(api.webhookDeliveries.list, { limit: 100 })
  assert.equal(
    [data.length, data.every(({ status }) => status === 'succeeded')],
    [ROUNDS * EVENTS_PER_ROUND, true],
  )
  serving.kill('SIGTERM')
  await Promise.all([serving.ended, receiver.close()])
})

test('finishes running deliveries after SIGTERM', async () => {
  const handler = createHandler()
  const receiver = await openWebhookServer(handler.answer)
  const serving = await startServing(['--memory', '--log-format', 'silent'], { PAYCLI_HOME: newFolder() })
  const { api_url, api_key } = serving.location
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  const listening = startListeningProcess(['-f', `${receiver.port}`], {
    PAYCLI_API_BASE: api_url,
    PAYCLI_API_KEY: api_key,
  })
  await listening.until(isReady)
  handler.hold()
  await client.call(api.customers.create, { email: 'ada@example.com' })
  await receiver.waitFor(1)
  listening.kill('SIGTERM')
  handler.release()
  await listening.ended
  const { data } = await client.call(api.webhookDeliveries.list, {})
  assert.equal([receiver.received.length, data.map(({ status }) => status)], [1, ['succeeded']])
  serving.kill('SIGTERM')
  await Promise.all([serving.ended, receiver.close()])
})

test.run()
