import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { downgrade, schemaOf } from '../store/postgres/postgres-stores.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { newDatabaseUrl, onDatabase } from '../support/postgres.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { testBackend } from '../support/test-backend.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'

const test = suite('scenarios/earlier-database')

/** A database of version 0.1.0 with one customer and one webhook endpoint, as a clean stop left it. */
const EARLIER = join(ROOT, 'test', 'scenarios', 'database-0.1.0.lowdb')
const apiKey = 'paysk_test_rXXQcptz4vFI8p5MKFrYeQ1DtDSFTTbi'

test('a database file of version 0.1.0 becomes the default sandbox, with its key and its event sequence', async () => {
  const db = join(newFolder(), 'paycli.json')
  copyFileSync(EARLIER, db)
  const first = await openDaemon({ db, apiKey })
  const before = await first.call(api.customers.list, {})
  assert.equal(
    before.data.map(({ email }) => email),
    ['ada@example.com'],
  )
  const { id, objects, events } = await first.call(api.sandboxes.retrieve, { id: 'current' })
  assert.equal([id, objects, events], ['default', 2, 1])
  assert.equal((await first.call(api.sandboxes.list, {})).data, [])
  const copy = await first.call(api.sandboxes.create, { from: 'default' })
  assert.equal([copy.objects, copy.events], [2, 1])
  await first.call(api.customers.create, { email: 'bob@example.com' })
  await first.stop()
  const second = await openDaemon({ db, apiKey })
  const { data } = await second.call(api.events.list, {})
  assert.equal(
    data.map(({ sequence }) => sequence),
    [2, 1],
  )
  assert.is((await second.call(api.sandboxes.retrieve, { id: copy.id })).objects, 2)
  await second.stop()
})

test('request logs and deliveries of version 0.1.0 in PostgreSQL have no fault, and faults apply to them', async () => {
  if (testBackend() !== 'postgres') return
  const db = await newDatabaseUrl()
  const receiver = await openWebhookServer((_request, response) => response.writeHead(500).end())
  const first = await openDaemon({ db, apiKey })
  await first.call(api.webhookEndpoints.create, { url: receiver.url })
  await first.call(api.customers.create, { email: 'ada@example.com' })
  await first.tick()
  await first.stop()
  const kinds = `kind IN ('webhook_deliveries', 'request_logs')`
  const changed = await onDatabase(db, (client) =>
    client.query(
      `UPDATE ${schemaOf(db)}.records SET record = (record::jsonb - 'fault')::json WHERE ${kinds} RETURNING kind`,
    ),
  )
  assert.ok((changed.rowCount ?? 0) >= 4, `${changed.rowCount} records`)
  await downgrade(db, 1)
  const second = await openDaemon({ db, apiKey, home: first.home, clock: first.clock })
  const { data: deliveries } = await second.call(api.webhookDeliveries.list, {})
  assert.equal(
    deliveries.map(({ status, fault }) => [status, fault]),
    [
      ['pending', null],
      ['failed', null],
    ],
  )
  const { data: logs } = await second.call(api.requestLogs.list, { method: 'POST' })
  assert.equal(
    logs.map(({ fault }) => fault),
    [null, null],
  )
  const [retry] = deliveries
  assert.is((await second.call(api.webhookDeliveries.retrieve, { id: retry?.id ?? '' })).fault, null)
  const fault = await second.call(api.faults.create, { type: 'hold' })
  await second.call(api.webhookDeliveries.send, { id: retry?.id ?? '' })
  await second.tick()
  const held = await second.call(api.webhookDeliveries.retrieve, { id: retry?.id ?? '' })
  assert.equal([held.status, held.fault, held.next_attempt_at], ['pending', fault.id, null])
  await second.stop()
  await receiver.close()
})

test.run()
