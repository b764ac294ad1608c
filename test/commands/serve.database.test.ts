import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../support/postgres.ts'
import { assert, suite } from '../support/suite.ts'
import { ask } from '../support/wire.ts'
import { paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const PASSWORD = 's3cret-w0rd'
const KEY = 'paysk_test_mine'

const test = suite('commands/serve at a PostgreSQL database')

test.after(stopOwnPostgres)

/** The URL of an empty database with a password; the server of the tests asks for none. */
async function secretUrl(): Promise<string> {
  return Object.assign(new URL(await newDatabaseUrl()), { password: PASSWORD }).href
}

/** All that the files of a folder hold. */
function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

test('security 4: the password of the database is in no line, no file and no log, working or cut off', async () => {
  const url = await secretUrl()
  const home = newFolder()
  const env = { PAYCLI_HOME: home, PAYCLI_DB: url }
  const serving = await startServing(['--ready-file', join(home, 'ready.json')], env)
  const { host, search } = new URL(url)
  const shown = `postgres://paycli@${host}/postgres${search}`
  assert.is(serving.location.db, shown)
  const { api_url, api_key } = serving.location
  const headers = { Authorization: `Bearer ${api_key}` }
  await onDatabase(url, (client) =>
    client.query(`ALTER SCHEMA ${new URL(url).searchParams.get('schema')} RENAME TO gone`),
  )
  const answer = await ask(`${api_url}/v1/customers`, { headers })
  assert.is(answer.status, 500)
  await onDatabase(url, (client) => client.query('DROP SCHEMA gone CASCADE'))
  const status = await paycli(['status', '--json'], { env })
  const said = await serving.said(/Ready[\s\S]+does not exist/)
  assert.match(said, shown)
  serving.kill('SIGTERM')
  await serving.ended
  for (const text of [serving.firstLine, said, answer.text, status.stdout, status.stderr, textsIn(home)])
    assert.not.match(text, PASSWORD)
})

test('what is wrong with a database is told without its password', async () => {
  const url = new URL(await secretUrl())
  const wrong: readonly (readonly [Partial<URL>, string | null])[] = [
    [{ pathname: '/nowhere' }, '"nowhere" does not exist'],
    [{ port: '1' }, 'ECONNREFUSED'],
    [{ search: '?schema=a-b' }, "The schema 'a-b'"],
    [{ password: `1/${PASSWORD}` }, null],
  ]
  for (const [change, why] of wrong) {
    const given = Object.assign(new URL(url), change).href
    // As somebody types it who does not know what to encode.
    const typed = why === null ? given.replace('%2F', '/') : given
    const { code, stdout, stderr } = await paycli(['serve', '--port', '0', '--db', typed], {
      env: { PAYCLI_HOME: newFolder() },
    })
    assert.is.not(code, 0)
    assert.match(stderr, why ?? 'percent-encoded')
    assert.not.match(stdout + stderr, PASSWORD)
  }
})

test('security 4: a key that somebody might guess is not admitted to a database that services share', async () => {
  const url = await secretUrl()
  const { code, stderr } = await paycli(['serve', '--port', '0', '--db', url], {
    env: { PAYCLI_HOME: newFolder(), PAYCLI_API_KEY: KEY },
  })
  assert.is(code, 2)
  assert.match(stderr, 'too few for a database that other services share')
  assert.not.match(stderr, KEY)
  await dropDatabase(url)
})

test.run()
