import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../support/postgres.ts'
import { sendRequest } from '../support/raw-http.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { startServing } from './serving.ts'

const PASSWORD = 's3cret-w0rd'
const KEY = 'paysk_test_mine'

const test = suite('commands/serve with a PostgreSQL database')

test.after(stopOwnPostgres)

/** Returns the URL of an empty database with a password, which the test server does not check. */
async function secretUrl(): Promise<string> {
  return Object.assign(new URL(await newDatabaseUrl()), { password: PASSWORD }).href
}

/** Returns the contents of all files of a folder. */
function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

test('no output, file or log contains the password of the database, connected or not', async () => {
  const url = await secretUrl()
  const home = newFolder()
  const env = { PAYCLI_HOME: home, PAYCLI_DB: url }
  const serving = await startServing(['--ready-file', join(home, 'ready.json')], env)
  const { host, search } = new URL(url)
  const shown = `postgres://paycli@${host}/postgres${search}`
  assert.is(serving.location.db, shown)
  const { api_url, api_key } = serving.location
  const headers = { Authorization: `Bearer ${api_key}` }
  // Before it prints Ready, the command itself reads the database.
  await serving.waitForStderr(/Ready/)
  await onDatabase(url, (client) =>
    client.query(`ALTER SCHEMA ${new URL(url).searchParams.get('schema')} RENAME TO renamed`),
  )
  const answer = await sendRequest(`${api_url}/v1/customers`, { headers })
  assert.is(answer.status, 500)
  await onDatabase(url, (client) => client.query('DROP SCHEMA renamed CASCADE'))
  const status = await runCommand(['status', '--json'], env)
  const output = await serving.waitForStderr(/Ready[\s\S]+does not exist/)
  assert.match(output, shown)
  serving.kill('SIGTERM')
  await serving.ended
  for (const text of [serving.firstLine, output, answer.text, status.stdout, status.stderr, textsIn(home)])
    assert.not.match(text, PASSWORD)
})

test('errors about a database do not contain its password', async () => {
  const url = new URL(await secretUrl())
  const wrong: readonly (readonly [Partial<URL>, string | null])[] = [
    [{ pathname: '/nowhere' }, '"nowhere" does not exist'],
    [{ port: '1' }, 'ECONNREFUSED'],
    [{ search: '?schema=a-b' }, "schema 'a-b' is not a valid name"],
    [{ password: `1/${PASSWORD}` }, null],
  ]
  for (const [change, why] of wrong) {
    const given = Object.assign(new URL(url), change).href
    // Without an expected error, the typed URL has a character that should be percent-encoded.
    const typed = why === null ? given.replace('%2F', '/') : given
    const { code, stdout, stderr } = await runCommand(['serve', '--port', '0', '--db', typed], {
      PAYCLI_HOME: newFolder(),
    })
    assert.is.not(code, 0)
    assert.match(stderr, why ?? 'percent-encode special characters')
    assert.not.match(stdout + stderr, PASSWORD)
  }
})

test('rejects a weak API key for a shared database', async () => {
  const url = await secretUrl()
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--db', url], {
    PAYCLI_HOME: newFolder(),
    PAYCLI_API_KEY: KEY,
  })
  assert.is(code, 2)
  assert.match(stderr, 'too few for a database that several servers can share')
  assert.not.match(stderr, KEY)
  await dropDatabase(url)
})

test.run()
