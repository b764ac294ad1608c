import { join } from 'node:path'
import { api } from '../../src/api/index.ts'
import { newestSequence } from '../../src/cli/request/newest-event.ts'
import { walk } from '../../src/cli/request/paginate.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Location } from '../../src/daemon/locator.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { openReceiver, type Receiver } from '../webhooks/receiver.ts'

const KILLS = 20
const WRITERS = 4
const MOST_EVENTS = 100_000

const test = suite<{ receiver: Receiver }>(
  'scenarios/deliveries of a service that is killed',
  undefined,
  180_000,
)

test.before.each(async (context) => {
  context.receiver = await openReceiver()
})

test.after.each(({ receiver }) => receiver.close())

const clientOf = ({ api_url, api_key }: Location) => createClient({ apiBase: api_url, apiKey: api_key })
const idsOf = (receiver: Receiver) => new Set(receiver.received.map(({ headers }) => headers['webhook-id']))

/** Creates customers until the service is gone; each id is noted once it was answered. */
async function write(client: Client, answered: string[], onAnswer: () => void): Promise<void> {
  for (;;) {
    try {
      const { id } = await client.call(api.customers.create, { email: 'ada@example.com' })
      answered.push(id)
      onAnswer()
    } catch {
      // The service was killed, which is what this is about.
      return
    }
  }
}

/** Lets writers write and kills the service when it has answered so often, or told the receiver so often. */
async function killAmid(
  serving: Serving,
  receiver: Receiver,
  { round, answered }: { readonly round: number; readonly answered: string[] },
): Promise<void> {
  const most = 1 + ((round * 37) % 60)
  const before = answered.length
  const client = clientOf(serving.location)
  const kill = () => {
    if (answered.length >= before + most) serving.kill('SIGKILL')
  }
  const writing = Array.from({ length: WRITERS }, () => write(client, answered, kill))
  if (round % 2 === 1)
    receiver.has(receiver.received.length + Math.ceil(most / 2)).then(() => serving.kill('SIGKILL'))
  assert.is(await serving.ended, 'SIGKILL')
  await Promise.all(writing)
}

test(`every committed event is delivered at least once over ${KILLS} kills at any point`, async ({
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
  for (let round = 0; round < KILLS; round += 1) {
    await killAmid(await startServing(flags, env), receiver, { round, answered })
  }
  const last = await startServing(flags, env)
  const client = clientOf(last.location)
  const newest = await newestSequence(client)
  const { found } = await walk((cursor) => client.call(api.events.list, { ...cursor }), MOST_EVENTS)
  assert.is(found.length, newest, 'events are numbered without a gap')
  while (idsOf(receiver).size < found.length) await receiver.has(receiver.received.length + 1)
  const told = idsOf(receiver)
  assert.equal(
    found.filter(({ id }) => !told.has(id)),
    [],
    'committed and never delivered',
  )
  const known = new Set(found.map(({ data }) => data.object.id))
  assert.equal(
    answered.filter((id) => !known.has(id)),
    [],
    'answered and lost',
  )
  assert.equal(told.size, found.length, 'nothing is told that was not committed')
  last.kill('SIGTERM')
  assert.is(await last.ended, 0)
})

test.run()
