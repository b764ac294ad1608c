import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { customers } from '../../src/api/operations/customers.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { newDatabaseUrl, stopOwnPostgres } from '../support/postgres.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/doctor with a PostgreSQL database')

test.after(stopOwnPostgres)

test('reports a consistent PostgreSQL database and its copy in a file', async () => {
  const home = newFolder()
  const url = await newDatabaseUrl()
  const env = { PAYCLI_HOME: home, PAYCLI_DB: url }
  const daemon = await openDaemon({ home, db: url })
  await daemon.call(customers.create, { email: 'ada@example.com' })
  await daemon.stop()
  const file = join(home, 'copied.json')
  const copied = await runCommand(['state', 'copy', url, file], env)
  assert.is(copied.code, 0, copied.stderr)
  assert.match(readFileSync(file, 'utf8'), daemon.location.webhook_secret)
  for (const database of [url, file]) {
    const { code, stdout } = await runCommand(['doctor', '--db', database], env)
    assert.equal([code, JSON.parse(stdout).problems], [0, []])
  }
})

test.run()
