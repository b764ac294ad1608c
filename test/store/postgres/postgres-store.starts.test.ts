import { checkDatabase } from '../../../src/daemon/doctor.ts'
import { StartupError } from '../../../src/domain/core/startup-error.ts'
import {
  dropDatabase,
  newDatabaseUrl,
  onDatabase,
  startPostgres,
  stopOwnPostgres,
} from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, put, rejection } from '../fixture.ts'
import {
  nameConnections,
  openAt,
  openErrorAt,
  schemaOf,
  until,
  withRole,
  withStores,
} from './postgres-stores.ts'

const STARTS = 4
const PASSWORD = 's3cret-w0rd'

const test = suite('store/opening a PostgreSQL database')

test.after(stopOwnPostgres)

/** Changes parts of a URL and sets a password that no message may contain. */
function changed(
  url: string,
  parts: Partial<Pick<URL, 'pathname' | 'port' | 'username' | 'password'>>,
): string {
  return Object.assign(new URL(url), { password: PASSWORD, ...parts }).href
}

/** Returns the start-up error; fails when it contains the password. */
async function startupErrorAt(url: string): Promise<StartupError> {
  const error = await openErrorAt(url)
  assert.instance(error, StartupError)
  for (const text of [error.message, error.stack ?? '', JSON.stringify(error)])
    assert.not.match(text, PASSWORD)
  return error as StartupError
}

test('concurrent starts on an empty database create the tables once', async () => {
  const url = await newDatabaseUrl()
  const stores = await Promise.all(Array.from({ length: STARTS }, () => openAt(url)))
  await Promise.all(stores.map((store, number) => put(store, customer(`cus_${number}`))))
  for (const store of stores) assert.is(await store.count('customers'), STARTS)
  for (const store of stores) await store.close()
  await dropDatabase(url)
})

test('concurrent starts work with repeatable read as the default isolation', async () => {
  const url = new URL(await newDatabaseUrl())
  url.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read')
  const stores = await Promise.all(Array.from({ length: STARTS }, () => openAt(url.href)))
  for (const store of stores) await store.close()
  await dropDatabase(url.href)
})

/** Marks the tables of a database as tables of another version of paycli. */
const changeFormat = (url: string) =>
  onDatabase(url, (client) => client.query(`UPDATE ${schemaOf(url)}.format SET name = 'another'`))

test('rejects tables of another version and does not change them', () =>
  withStores(1, async ([store], url) => {
    const missing = `DROP TABLE ${schemaOf(url)}.format`
    for (const change of [changeFormat, () => onDatabase(url, (client) => client.query(missing))]) {
      await change(url)
      const error = await startupErrorAt(url)
      assert.is(error.code, 'database_format')
      assert.match(error.message, 'Another version of paycli created the tables')
      const examined = await rejection(checkDatabase(url, () => {}))
      assert.equal([examined.message, (examined as StartupError).code], [error.message, 'database_format'])
    }
    await put(store, customer('cus_1'))
  }))

test('rejects a wrong password without printing any password', async () => {
  const server = await startPostgres({ password: PASSWORD })
  const store = await openAt(server.url)
  await store.close()
  const wrong = new URL(server.url)
  wrong.password = `${PASSWORD}-not`
  const { code, message } = await startupErrorAt(wrong.href)
  assert.is(code, 'database_unreachable')
  assert.match(message, 'password authentication failed')
  assert.match(message, `postgres://paycli@${wrong.host}/postgres`)
  await server.stop()
})

test('names an unknown database or user without printing the password', async () => {
  const url = await newDatabaseUrl()
  assert.match(
    (await startupErrorAt(changed(url, { pathname: '/nowhere' }))).message,
    '"nowhere" does not exist',
  )
  assert.match(
    (await startupErrorAt(changed(url, { username: 'nobody' }))).message,
    '"nobody" does not exist',
  )
})

test('names the address of an unreachable server without printing the password', async () => {
  const url = await newDatabaseUrl()
  const { code, message } = await startupErrorAt(changed(url, { port: '1' }))
  assert.is(code, 'database_unreachable')
  assert.match(message, 'paycli@127.0.0.1:1/postgres')
  assert.match(message, 'ECONNREFUSED')
})

test('opens an existing schema without the right to create it, and reports the missing right when the schema is missing', () =>
  withRole(async (own) => {
    const store = await openAt(own)
    await put(store, customer('cus_1'))
    await store.close()
    const other = new URL(changed(own, {}))
    other.searchParams.set('schema', 'another')
    assert.match((await startupErrorAt(other.href)).message, 'permission denied')
  }))

test('a failed start leaves no open connection', () =>
  withStores(1, async (_stores, url) => {
    const { named, count } = nameConnections(url)
    const store = await openAt(named)
    assert.is.not(await count(), 0)
    await store.close()
    await changeFormat(url)
    await startupErrorAt(named)
    await until(async () => (await count()) === 0)
  }))

test.run()
