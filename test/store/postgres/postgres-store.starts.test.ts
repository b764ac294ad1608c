import { checkDatabase } from '../../../src/daemon/doctor.ts'
import type { Event } from '../../../src/domain/events.ts'
import { StartupError } from '../../../src/domain/startup-error.ts'
import {
  dropDatabase,
  newDatabaseUrl,
  onDatabase,
  startPostgres,
  stopOwnPostgres,
} from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import {
  coordinatorOf,
  downgrade,
  openAt,
  openErrorAt,
  schemaOf,
  until,
  withStores,
} from './postgres-stores.ts'

const STARTS = 4
const PASSWORD = 's3cret-w0rd'
const LONG_SECONDS = 600

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
  const versions = await onDatabase(url, (client) =>
    client.query(`SELECT version FROM ${schemaOf(url)}.migrations`),
  )
  assert.equal(new Set(versions.rows.map(({ version }) => version)).size, versions.rows.length)
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

test('rejects tables of a newer version and does not change them', () =>
  withStores(1, async ([store], url) => {
    await onDatabase(url, (client) =>
      client.query(`INSERT INTO ${schemaOf(url)}.migrations (version) VALUES (99)`),
    )
    const error = await startupErrorAt(url)
    assert.is(error.code, 'database_newer')
    assert.match(error.message, 'version 99')
    assert.match(error.message, 'newer version of paycli')
    const examined = await rejection(checkDatabase(url, () => {}))
    assert.equal([examined.message, (examined as StartupError).code], [error.message, 'database_newer'])
    await put(store, customer('cus_1'))
  }))

test('rejects reads and changes after another version changed the layout', () =>
  withStores(1, async ([store], url) => {
    await put(store, customer('cus_1'))
    await onDatabase(url, (client) => client.query(`UPDATE ${schemaOf(url)}.head SET layout = 'newer still'`))
    const failed = await rejection(put(store, customer('cus_late')))
    assert.match(
      failed.message,
      'Another version of paycli changed the layout of the database. Restart this server',
    )
    for (const reading of [
      store.get('customers', 'cus_1'),
      coordinatorOf(store).acquireLeases(['a'], LONG_SECONDS),
    ])
      assert.is((await rejection(reading)).message, failed.message, 'reads could return wrong results')
  }))

test('the created timestamps of events do not decrease after a migration from version 1', () =>
  withStores(1, async ([older], url) => {
    const storeEvent = (store: typeof older, id: string, fields: Pick<Event, 'created' | 'test_clock'>) =>
      store.transact(async () => commit(null, { events: [event(id, fields)] }))
    await put(older, customer('cus_1', { name: 'NUL \u0000' }))
    await storeEvent(older, 'evt_1', { created: 900, test_clock: null })
    await storeEvent(older, 'evt_2', { created: 2000, test_clock: 'clock_1' })
    await downgrade(url, 1)
    const newer = await openAt(url)
    await storeEvent(newer, 'evt_3', { created: 880, test_clock: null })
    assert.is((await newer.get('events', 'evt_3'))?.created, 900)
    await newer.close()
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

test('opens an existing schema without the right to create it, and reports the missing right when the schema is missing', async () => {
  const url = await newDatabaseUrl()
  const role = `r_${schemaOf(url)}`
  await onDatabase(url, (client) =>
    client.query(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${schemaOf(url)} AUTHORIZATION ${role}`),
  )
  const own = changed(url, { username: role })
  const store = await openAt(own)
  await put(store, customer('cus_1'))
  await store.close()
  const other = new URL(own)
  other.searchParams.set('schema', 'another')
  const { message } = await startupErrorAt(other.href)
  assert.match(message, 'permission denied')
  await dropDatabase(url)
  await onDatabase(url, (client) => client.query(`DROP ROLE ${role}`))
})

test('a failed start leaves no open connection', () =>
  withStores(1, async (_stores, url) => {
    const named = new URL(url)
    named.searchParams.set('application_name', schemaOf(url))
    const connections = () =>
      onDatabase(url, async (client) => {
        const text = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1'
        return (await client.query(text, [schemaOf(url)])).rows.length
      })
    const store = await openAt(named.href)
    assert.is.not(await connections(), 0)
    await store.close()
    await onDatabase(url, (client) =>
      client.query(`INSERT INTO ${schemaOf(url)}.migrations (version) VALUES (99)`),
    )
    await startupErrorAt(named.href)
    await until(async () => (await connections()) === 0)
  }))

test.run()
