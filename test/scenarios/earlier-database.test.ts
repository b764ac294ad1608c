import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

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

test.run()
