import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { customers } from '../../../src/api/operations/customers.ts'
import { openDaemon } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'
import type { Ended } from '../paycli.ts'

const PASSWORD = 's3cret-w0rd'

const test = suite('commands/state/restore with a PostgreSQL database')

test.after(stopOwnPostgres)

/** Returns the URL of a database with a password, which the test server does not check. */
async function secretUrl(): Promise<string> {
  return Object.assign(new URL(await newDatabaseUrl()), { password: PASSWORD }).href
}

test('restores a state to its URL and prints no password', async () => {
  const home = newFolder()
  const [url, other] = [await secretUrl(), await secretUrl()]
  const run = (args: readonly string[], db?: string): Promise<Ended> =>
    runCommand(args, { PAYCLI_HOME: home, ...(db === undefined ? {} : { PAYCLI_DB: db }) })
  const daemon = await openDaemon({ home, db: url })
  await daemon.call(customers.create, { email: 'ada@example.com' })
  // The environment selects a database other than that of the server.
  const saved = await run(['state', 'save', 'before'], other)
  assert.is(saved.code, 0, saved.stderr)
  assert.match(saved.stderr, 'paycli state restore before --db <the same URL>')
  await daemon.stop()
  const usual = join(home, 'paycli.json')
  writeFileSync(usual, 'kept')
  const guessed = await Promise.all(
    [undefined, usual, other].flatMap((db) => [
      run(['state', 'restore', 'before'], db),
      run(['state', 'diff', 'before'], db),
    ]),
  )
  for (const { code, stderr } of guessed) {
    assert.is(code, 2)
    assert.match(stderr, /The password of postgres:.*PAYCLI_DB names another database\.\nHint: .*--db <url>/)
  }
  assert.is((await run(['state', 'diff', 'before'], url)).stdout, '[]\n')
  const restored = await run(['state', 'restore', 'before'], url)
  assert.is(restored.code, 0, restored.stderr)
  const given = await run(['state', 'restore', 'before', '--db', url])
  assert.is(given.code, 0, given.stderr)
  const shown = saved.stdout + saved.stderr + restored.stdout + restored.stderr + given.stdout + given.stderr
  assert.not.match(shown, PASSWORD)
  assert.match(restored.stderr, `Restored state 'before' to ${JSON.parse(restored.stdout).database}.`)
})

test.run()
