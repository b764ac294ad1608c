import { examine } from '../../../src/daemon/doctor.ts'
import type { Event } from '../../../src/domain/events.ts'
import { StartupProblem } from '../../../src/domain/startup-problem.ts'
import {
  dropDatabase,
  newDatabaseUrl,
  onDatabase,
  startPostgres,
  stopOwnPostgres,
} from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import { downgrade, openAt, refusalAt, schemaOf, sharingOf, until, withStores } from './postgres-stores.ts'

const STARTS = 4
const PASSWORD = 's3cret-w0rd'
const LONG_SECONDS = 600

const test = suite('store/starting at a PostgreSQL database')

test.after(stopOwnPostgres)

/** A URL with another part; `with` a password that must be in no message. */
function changed(
  url: string,
  parts: Partial<Pick<URL, 'pathname' | 'port' | 'username' | 'password'>>,
): string {
  return Object.assign(new URL(url), { password: PASSWORD, ...parts }).href
}

/** What a start is refused with; fails when it tells the password. */
async function problemAt(url: string): Promise<StartupProblem> {
  const problem = await refusalAt(url)
  assert.instance(problem, StartupProblem)
  for (const text of [problem.message, problem.stack ?? '', JSON.stringify(problem)])
    assert.not.match(text, PASSWORD)
  return problem as StartupProblem
}

test('processes that start at once on an empty database make its tables once', async () => {
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

test('also where transactions are repeatable reads unless they say otherwise', async () => {
  const url = new URL(await newDatabaseUrl())
  url.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read')
  const stores = await Promise.all(Array.from({ length: STARTS }, () => openAt(url.href)))
  for (const store of stores) await store.close()
  await dropDatabase(url.href)
})

test('a database whose tables a newer version has changed is refused, and left as it is', () =>
  withStores(1, async ([store], url) => {
    await onDatabase(url, (client) =>
      client.query(`INSERT INTO ${schemaOf(url)}.migrations (version) VALUES (99)`),
    )
    const problem = await problemAt(url)
    assert.is(problem.code, 'database_newer')
    assert.match(problem.message, 'version 99')
    assert.match(problem.message, 'newer paycli')
    const examined = await rejection(examine(url, () => {}))
    assert.equal([examined.message, (examined as StartupProblem).code], [problem.message, 'database_newer'])
    await put(store, customer('cus_1'))
  }))

test('a process whose records another version has taken over changes and reads nothing more', () =>
  withStores(1, async ([store], url) => {
    await put(store, customer('cus_1'))
    await onDatabase(url, (client) => client.query(`UPDATE ${schemaOf(url)}.head SET layout = 'newer still'`))
    const refused = await rejection(put(store, customer('cus_late')))
    assert.match(
      refused.message,
      'Another version of paycli has taken the database over. Start this one anew',
    )
    for (const reading of [store.get('customers', 'cus_1'), sharingOf(store).take(['a'], LONG_SECONDS)])
      assert.is((await rejection(reading)).message, refused.message, 'it would read the columns wrongly')
  }))

test('a database of before the times of events were kept beside the sequence goes on behind its newest event', () =>
  withStores(1, async ([older], url) => {
    const tell = (store: typeof older, id: string, fields: Pick<Event, 'created' | 'test_clock'>) =>
      store.transact(async () => commit(null, { events: [event(id, fields)] }))
    await put(older, customer('cus_1', { name: 'NUL \u0000' }))
    await tell(older, 'evt_1', { created: 900, test_clock: null })
    await tell(older, 'evt_2', { created: 2000, test_clock: 'clock_1' })
    await downgrade(url, 1)
    const newer = await openAt(url)
    await tell(newer, 'evt_3', { created: 880, test_clock: null })
    assert.is((await newer.get('events', 'evt_3'))?.created, 900)
    await newer.close()
  }))

test('a wrong password is refused, and neither the right nor the wrong one is told', async () => {
  const server = await startPostgres({ password: PASSWORD })
  const store = await openAt(server.url)
  await store.close()
  const wrong = new URL(server.url)
  wrong.password = `${PASSWORD}-not`
  const { code, message } = await problemAt(wrong.href)
  assert.is(code, 'database_unreachable')
  assert.match(message, 'password authentication failed')
  assert.match(message, `postgres://paycli@${wrong.host}/postgres`)
  await server.stop()
})

test('an unknown database and an unknown user are refused by name, without the password', async () => {
  const url = await newDatabaseUrl()
  assert.match((await problemAt(changed(url, { pathname: '/nowhere' }))).message, '"nowhere" does not exist')
  assert.match((await problemAt(changed(url, { username: 'nobody' }))).message, '"nobody" does not exist')
})

test('a server that is not there is refused with its address, without the password', async () => {
  const url = await newDatabaseUrl()
  const { code, message } = await problemAt(changed(url, { port: '1' }))
  assert.is(code, 'database_unreachable')
  assert.match(message, 'paycli@127.0.0.1:1/postgres')
  assert.match(message, 'ECONNREFUSED')
})

test('whoever may use a schema needs no right to make one, and without it is told so', async () => {
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
  const { message } = await problemAt(other.href)
  assert.match(message, 'permission denied')
  await dropDatabase(url)
  await onDatabase(url, (client) => client.query(`DROP ROLE ${role}`))
})

test('a start that fails leaves no connection behind', () =>
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
    await problemAt(named.href)
    await until(async () => (await connections()) === 0)
  }))

test.run()
