import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { readPages } from '../../src/cli/request/paginate.ts'
import { readNewestSequence } from '../../src/cli/request/recent-events.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import type { DaemonLocation } from '../../src/daemon/locator.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'

const KILLS = isFullRun() ? 100 : 6
const WRITERS = 4
const MOST_EVENTS = 100_000

const test = suite<{ receiver: WebhookServer }>('scenarios/killed-deliveries', undefined, 230_000)

test.before.each(async (context) => {
  context.receiver = await openWebhookServer()
})

test.after.each(({ receiver }) => receiver.close())

const clientOf = ({ api_url, api_key }: DaemonLocation) => createClient({ apiBase: api_url, apiKey: api_key })
const idsOf = (receiver: WebhookServer) =>
  new Set(receiver.received.map(({ headers }) => headers['webhook-id']))

/** Creates customers until the server is killed, and records the id of each response. */
async function createCustomers(client: Client, answered: string[], onAnswer: () => void): Promise<void> {
  for (;;) {
    try {
      const { id } = await client.call(api.customers.create, { email: 'ada@example.com' })
      answered.push(id)
      onAnswer()
    } catch {
      // The server was killed.
      return
    }
  }
}

/** Runs writers and kills the server after a number of responses or deliveries. */
async function killDuringWrites(
  serving: Serving,
  receiver: WebhookServer,
  { round, answered }: { readonly round: number; readonly answered: string[] },
): Promise<void> {
  const most = 1 + ((round * 37) % 60)
  const before = answered.length
  const client = clientOf(serving.location)
  const kill = () => {
    if (answered.length >= before + most) serving.kill('SIGKILL')
  }
  const writing = Array.from({ length: WRITERS }, () => createCustomers(client, answered, kill))
  if (round % 2 === 1)
    receiver.waitFor(receiver.received.length + Math.ceil(most / 2)).then(() => serving.kill('SIGKILL'))
  assert.is(await serving.ended, 'SIGKILL')
  await Promise.all(writing)
}

test(`delivers every committed event at least once over ${KILLS} kills at random points`, async ({
  receiver,
}) => {
  const env = { PAYCLI_HOME: newFolder() }
  const flags = [
    '--db',
    join(newFolder(), 'paycli.json'),
    '-f',
    String(receiver.port),
    '--log-format',
    'silent',
  ]
  const answered: string[] = []
  const keys = new Set<string>()
  for (let round = 0; round < KILLS; round += 1) {
    const serving = await startServing(flags, env)
    keys.add(serving.location.api_key)
    await killDuringWrites(serving, receiver, { round, answered })
  }
  const last = await startServing(flags, env)
  assert.equal([...keys], [last.location.api_key], 'the API key stays the same')
  const client = clientOf(last.location)
  const newest = await readNewestSequence(client)
  const { found } = await readPages((cursor) => client.call(api.events.list, { ...cursor }), MOST_EVENTS)
  assert.is(found.length, newest, 'event numbers have no gap')
  while (idsOf(receiver).size < found.length) await receiver.waitFor(receiver.received.length + 1)
  const delivered = idsOf(receiver)
  assert.equal(
    found.filter(({ id }) => !delivered.has(id)),
    [],
    'committed, but not delivered',
  )
  const known = new Set(found.map(({ data }) => data.object.id))
  assert.equal(
    answered.filter((id) => !known.has(id)),
    [],
    'confirmed, but lost',
  )
  assert.equal(delivered.size, found.length, 'only committed events are delivered')
  last.kill('SIGTERM')
  assert.is(await last.ended, 0)
})

test.run()
