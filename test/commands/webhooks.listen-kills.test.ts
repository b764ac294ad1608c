import { join } from 'node:path'
import { api } from '../../src/api/index.ts'
import { createClient } from '../../src/client/client.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { deliveriesOf, eventsOf, isReady, startListening } from './listening.ts'
import { startServing } from './serving.ts'

const test = suite('commands/webhooks/listen: kills')

const ROUNDS = 3
const EVENTS_PER_ROUND = 20

test('a killed daemon loses nothing and sends nothing twice', async () => {
  const home = newFolder()
  const env = { PAYCLI_HOME: home }
  const receiver = await openReceiver()
  const flags = ['--db', join(home, 'db.json'), '--log-format', 'silent']
  let serving = await startServing(flags, env)
  const { api_url, api_key } = serving.location
  const { port } = new URL(api_url)
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  const listening = startListening(['-f', `${receiver.port}`], {
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
    // In the middle of what is being sent.
    await receiver.has(round * EVENTS_PER_ROUND + 5)
    serving.kill('SIGKILL')
    await serving.ended
    serving = await startServing([...flags, '--port', port], env)
    await receiver.has((round + 1) * EVENTS_PER_ROUND)
  }
  const told = eventsOf(listening.records).map(({ data }) => data.object.id)
  assert.equal(told.toSorted(), made.toSorted())
  const received = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.is(new Set(received).size, made.length)
  assert.is(received.length, made.length)
  listening.kill('SIGINT')
  await listening.ended
  assert.is(deliveriesOf(listening.records).length, made.length)
  serving.kill('SIGTERM')
  await Promise.all([serving.ended, receiver.close()])
})

test('a killed listener loses nothing, and at most what was on its way comes twice, with its id', async () => {
  const home = newFolder()
  const receiver = await openReceiver()
  const serving = await startServing(['--memory', '--log-format', 'silent'], { PAYCLI_HOME: home })
  const { api_url, api_key } = serving.location
  const env = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  const ids = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  const first = startListening(['-f', `${receiver.port}`], env)
  await first.until(isReady)
  let listening = first
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      Array.from({ length: EVENTS_PER_ROUND }, (_, index) =>
        client.call(api.customers.create, { email: `r${round}n${index}@example.com` }),
      ),
    )
    await receiver.has(receiver.received.length + 1)
    listening.kill('SIGKILL')
    await listening.ended
    listening = startListening(['-f', `${receiver.port}`], env)
    while (ids().size < (round + 1) * EVENTS_PER_ROUND) await receiver.has(receiver.received.length + 1)
  }
  assert.is(ids().size, ROUNDS * EVENTS_PER_ROUND)
  const twice = receiver.received.length - ids().size
  assert.ok(twice <= ROUNDS, `${twice} came twice`)
  listening.kill('SIGINT')
  await listening.ended
  serving.kill('SIGTERM')
  await Promise.all([serving.ended, receiver.close()])
})

test.run()
