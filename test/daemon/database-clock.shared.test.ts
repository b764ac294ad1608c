import { customers } from '../../src/api/operations/customers.ts'
import { events } from '../../src/api/operations/events.ts'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import { isServiceRunning } from '../../src/cli/service/service-status.ts'
import { createClient } from '../../src/client/client.ts'
import { startDaemon } from '../../src/daemon/start.ts'
import type { LogEntry } from '../../src/daemon/system/log.ts'
import { newFolder } from '../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../support/postgres.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'

const SKEWS_SECONDS = [300, -300, 5]
const EVENTS_PER_DAEMON = 20

const test = suite('daemon/database-clock on machines with different clocks')

test.after(stopOwnPostgres)

/** Opens a daemon on a machine whose clock is ahead by some seconds. */
async function openSkewed(db: string, skewSeconds: number) {
  const log: LogEntry[] = []
  const daemon = await startDaemon({
    ...{ db, home: newFolder(), port: 0, checkoutPort: 0, forwardTo: [], retries: '1s', isServiceRunning },
    log: (entry) => log.push(entry),
    pid: process.pid,
    machineClock: { nowMs: () => Date.now() + skewSeconds * 1000 },
  })
  const { api_url, api_key } = daemon.location
  return { ...daemon, log, client: createClient({ apiBase: api_url, apiKey: api_key }) }
}

/** Returns the time of the database in Unix seconds. */
const secondsAt = (db: string) =>
  onDatabase(db, async (client) => {
    const { rows } = await client.query('SELECT floor(extract(epoch FROM clock_timestamp()))::float8 AS now')
    return Number(rows[0].now)
  })

test('delivers every event in order, with timestamps from the clock of the database', async () => {
  const db = await newDatabaseUrl()
  const server = await openWebhookServer()
  const daemons = await Promise.all(SKEWS_SECONDS.map((seconds) => openSkewed(db, seconds)))
  const since = await secondsAt(db)
  await daemons[0]?.client.call(webhookEndpoints.create, { url: server.url })
  const createAll = async ({ client }: (typeof daemons)[number]) => {
    for (let count = 0; count < EVENTS_PER_DAEMON; count += 1)
      await client.call(customers.create, { email: 'ada@example.com' })
  }
  await Promise.all(daemons.map(createAll))
  const wanted = daemons.length * EVENTS_PER_DAEMON
  await server.waitFor(wanted)
  const until = await secondsAt(db)
  const sequences = server.received.map(({ body }) => Number(JSON.parse(body).sequence))
  assert.equal(
    sequences,
    [...sequences].sort((a, b) => a - b),
  )
  assert.is(new Set(sequences).size, wanted)
  for (const { client } of daemons) {
    const { data } = await client.call(events.list, { limit: 100 })
    assert.ok(data.every(({ created }) => created >= since && created <= until))
    const now = await client.now()
    assert.ok(
      now >= since && now <= (await secondsAt(db)),
      'the Date header also shows the time of the database',
    )
  }
  for (const daemon of daemons) await daemon.stop()
  await server.close()
  await dropDatabase(db)
})

test('warns when the clock of the machine differs from the database clock by more than two seconds', async () => {
  const db = await newDatabaseUrl()
  const warnings = async (skewSeconds: number) => {
    const { log, stop } = await openSkewed(db, skewSeconds)
    await stop()
    return log.map(({ message }) => message).filter((message) => message.includes('clock of this machine'))
  }
  assert.match((await warnings(300)).join(), '300 s ahead of the database')
  assert.match((await warnings(-300)).join(), '300 s behind the database')
  assert.equal(await warnings(0), [])
  await dropDatabase(db)
})

test.run()
