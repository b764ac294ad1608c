import { newFolder } from '../support/folders.ts'
import { startPostgres } from '../support/postgres.ts'
import { assert, suite } from '../support/suite.ts'
import { ask } from '../support/wire.ts'
import { type Ended, paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const test = suite('commands/status and wait at a PostgreSQL database')

test('while the database is away or only reads the service answers, but is not ready, and commands say so', async () => {
  const postgres = await startPostgres()
  const env = { PAYCLI_HOME: newFolder(), PAYCLI_DB: postgres.url }
  const run = (...args: string[]): Promise<Ended> => paycli(args, { env })
  try {
    const serving = await startServing([], env)
    const { api_url } = serving.location
    assert.is((await run('wait', '--field', 'database')).stdout, 'ok\n')
    await postgres.halt()
    assert.is((await ask(`${api_url}/healthz`)).status, 200)
    assert.is((await ask(`${api_url}/readyz`)).status, 503)
    const status = await run('status')
    assert.equal([status.code, JSON.parse(status.stdout).database], [3, 'away'])
    assert.match(status.stderr, 'Its database is away')
    const waited = await run('wait', '--timeout', '1s')
    assert.equal([waited.code, waited.stdout], [7, ''])
    assert.match(waited.stderr, `The service at ${api_url} answers, but its database was away for 1s.`)
    await postgres.start({ isCopy: true })
    assert.is((await ask(`${api_url}/readyz`)).status, 503)
    const refused = await run('customers', 'create', '--email', 'ada@example.com')
    assert.is(refused.code, 5)
    assert.match(refused.stderr, /^Error: The database cannot be reached just now; nothing was stored\./)
    await postgres.halt()
    await postgres.start()
    assert.is((await run('wait', '--field', 'database')).stdout, 'ok\n')
    assert.is((await run('customers', 'create', '--email', 'ada@example.com')).code, 0)
    serving.kill('SIGTERM')
    await serving.ended
  } finally {
    await postgres.stop()
  }
})

test.run()
