import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { newDatabaseUrl, stopOwnPostgres } from '../support/postgres.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const test = suite('commands/doctor with a PostgreSQL database')

test.after(stopOwnPostgres)

test('reports a consistent PostgreSQL database and its copy in a file', async () => {
  const home = newFolder()
  const url = await newDatabaseUrl()
  const env = { PAYCLI_HOME: home, PAYCLI_DB: url }
  const serving = await startServing([], env)
  await paycli(['customers', 'create', '--email', 'ada@example.com'], { env })
  serving.kill('SIGTERM')
  await serving.ended
  const file = join(home, 'copied.json')
  const copied = await paycli(['state', 'copy', url, file], { env })
  assert.is(copied.code, 0, copied.stderr)
  assert.match(readFileSync(file, 'utf8'), serving.location.webhook_secret)
  for (const database of [url, file]) {
    const { code, stdout } = await paycli(['doctor', '--db', database], { env })
    assert.equal([code, JSON.parse(stdout).problems], [0, []])
  }
})

test.run()
