import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { startPostgres } from '../support/postgres.ts'
import { sendRequest } from '../support/raw-http.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const test = suite('commands/status and wait with a PostgreSQL database')

test('status and wait report a server whose database is unavailable or read-only', async () => {
  const postgres = await startPostgres()
  const home = newFolder()
  const run = (...args: string[]): Promise<Ended> => runCommand(args, { PAYCLI_HOME: home })
  try {
    const daemon = await openDaemon({ home, db: postgres.url })
    const { api_url } = daemon.location
    assert.is((await run('wait', '--field', 'database')).stdout, 'ok\n')
    await postgres.halt()
    assert.is((await sendRequest(`${api_url}/healthz`)).status, 200)
    assert.is((await sendRequest(`${api_url}/readyz`)).status, 503)
    const status = await run('status')
    const { database, sandboxes } = JSON.parse(status.stdout)
    assert.equal([status.code, database, sandboxes], [3, 'away', null])
    assert.match(status.stderr, 'The database is unavailable')
    const waited = await run('wait', '--timeout', '1s')
    assert.equal([waited.code, waited.stdout], [7, ''])
    assert.match(waited.stderr, `The server at ${api_url} responds, but its database was unavailable for 1s.`)
    await postgres.start({ isCopy: true })
    assert.is((await sendRequest(`${api_url}/readyz`)).status, 503)
    const refused = await run('customers', 'create', '--email', 'ada@example.com')
    assert.is(refused.code, 5)
    assert.match(refused.stderr, /^Error: The database is not available, so nothing was stored\./)
    await postgres.halt()
    await postgres.start()
    assert.is((await run('wait', '--field', 'database')).stdout, 'ok\n')
    assert.is((await run('customers', 'create', '--email', 'ada@example.com')).code, 0)
    await daemon.stop()
  } finally {
    await postgres.stop()
  }
})

test.run()
