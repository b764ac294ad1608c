import { api, operations } from '../../../src/api/api.ts'
import { followStream } from '../../../src/client/follow-stream.ts'
import { createSeededIdGenerators } from '../../../src/daemon/reproducible.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'
import { runApiSuite } from './api-suite.ts'
import { startConversation } from './conversation.ts'
import { assertSameLines, comparable } from './transcript.ts'

const test = suite('scenarios/isolation', {}, 180_000)

/** Operations that keys of a sandbox may not call, and the operation that would end the run. */
const NOT_CALLED = ['sandboxes.create', 'sandboxes.list', 'sandboxes.reset', 'sandboxes.delete']
const SEED = 'isolation'
const STRANGE_TURNS = 5

/** The responses, streamed events and deliveries of one sandbox. */
interface Recording {
  readonly lines: readonly string[]
  /** Events from the stream of the sandbox, as JSON. */
  readonly streamed: readonly string[]
  /** Bodies and signatures of the deliveries of the sandbox. */
  readonly delivered: readonly string[]
}

/** Opens a daemon with a frozen clock, whose sandboxes derive all ids and secrets from the same seed. */
function openSeededDaemon(): Promise<TestDaemon> {
  const clock = { nowMs: () => START * 1000, now: () => START, move: () => {} }
  return openDaemon({ clock, newIds: () => createSeededIdGenerators(SEED) })
}

/** Returns a function that waits for a pseudorandom number of event loop turns before each request of a sandbox. */
function createTurns(seed: number): () => Promise<void> {
  let state = seed
  return async () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    for (let turns = state % STRANGE_TURNS; turns > 0; turns -= 1) await new Promise(setImmediate)
  }
}

/** Creates a sandbox and runs the whole API suite in it. */
async function recordSandbox(daemon: TestDaemon, seed: number): Promise<Recording> {
  const { id, api_key: apiKey, checkout_url } = await daemon.call(api.sandboxes.create, {})
  const { api_url: apiBase } = daemon.location
  const receiver = await openWebhookServer()
  const streamed: string[] = []
  const leaving = new AbortController()
  const ready = Promise.withResolvers<void>()
  const stream = followStream({
    ...{ apiBase, apiKey, query: {}, signal: leaving.signal },
    onMessage({ event, data }) {
      if (event === 'ready') ready.resolve()
      else if (event === 'event') streamed.push(data)
    },
  })
  await Promise.race([ready.promise, stream])
  const talk = startConversation({ apiBase, apiKey, turn: createTurns(seed) })
  await runApiSuite(talk, { webhookUrl: receiver.url, deliver: () => daemon.tick() })
  leaving.abort()
  await Promise.all([stream, receiver.close()])
  const called = [...talk.succeeded]
  assert.equal(
    operations.filter(({ operation }) => !called.includes(operation)).map(({ name }) => name),
    NOT_CALLED,
  )
  const own = [
    [checkout_url, '{pages}'],
    [receiver.url, '{hook}'],
    [apiBase, '{api}'],
    // The default sandbox generates the first key of each sandbox.
    [`"last4":"${apiKey.slice(-4)}"`, '"last4":"{key}"'],
    [id, '{sandbox}'],
    [id.replace('sbx_', ''), '{sandbox}'],
  ] as const
  return {
    lines: comparable(talk.lines, own),
    streamed: comparable(streamed, own),
    delivered: comparable(
      receiver.received.map(({ headers, body }) => `${headers['webhook-signature']} ${body}`),
      own,
    ),
  }
}

const sequencesOf = (events: readonly string[]) => events.map((text) => (JSON.parse(text) as Event).sequence)

test('two sandboxes that run the API suite concurrently have the same responses and events as a single sandbox', async () => {
  const quiet = await openSeededDaemon()
  const alone = await recordSandbox(quiet, 1)
  await quiet.stop()
  assert.ok(alone.lines.length > 400 && alone.delivered.length > 2, `${alone.lines.length} lines`)
  const sequences = sequencesOf(alone.streamed)
  assert.equal(
    sequences,
    sequences.map((_, index) => index + 1),
  )
  const busy = await openSeededDaemon()
  const both = await Promise.all([recordSandbox(busy, 2), recordSandbox(busy, 3)])
  const events = await busy.call(api.events.list, {})
  await busy.stop()
  for (const [at, recording] of both.entries()) {
    for (const part of ['lines', 'streamed', 'delivered'] as const) {
      assertSameLines(recording[part], alone[part], `${part} of sandbox ${at + 1}`)
    }
  }
  assert.equal(events.data, [], 'events of the default sandbox')
})

test.run()
