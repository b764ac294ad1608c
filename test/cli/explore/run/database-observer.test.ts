import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  createDatabaseObserver,
  createObservation,
} from '../../../../src/cli/explore/run/database-observer.ts'
import { newFolder } from '../../../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../../support/postgres.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/database-observer')

/** The tables of a shop, and its rows before a run. */
const TABLES = `CREATE TABLE migrations (name TEXT PRIMARY KEY);
  CREATE TABLE accounts (name TEXT PRIMARY KEY, balance INTEGER, seen_at INTEGER, plan TEXT);
  CREATE TABLE orders (id TEXT PRIMARY KEY, amount INTEGER, data TEXT, cause TEXT);
  CREATE TABLE carts (item TEXT);
  CREATE TABLE webhook_events (id TEXT PRIMARY KEY, state TEXT, tries INTEGER);
  INSERT INTO migrations VALUES ('001'), ('002');
  INSERT INTO accounts VALUES ('ada', 500, 1790000000, 'free'), ('bob', 10, 1790000000, 'free');
  INSERT INTO orders VALUES ('py_old', 100, NULL, NULL);
  INSERT INTO carts VALUES ('book'), ('book'), ('pen');
  INSERT INTO webhook_events VALUES ('evt_old', 'done', 1)`
const CHANGES = `UPDATE accounts SET balance = balance + 1999, seen_at = 1790000500, plan = 'paid' WHERE name = 'ada';
  INSERT INTO orders VALUES ('py_new', 1999, '{"lines":[1]}', '{"id":"evt_1","object":"event"}');
  DELETE FROM carts WHERE item = 'pen'; INSERT INTO carts VALUES ('book');
  INSERT INTO webhook_events VALUES ('evt_1', 'done', 2)`
const OBSERVED = {
  accounts: [{ name: 'ada', balance: 1999, seen_at: 1790000500, plan: 'paid' }],
  carts: [{ item: 'book' }, { item: 'pen', deleted: true }],
  orders: [{ id: 'py_new', amount: 1999, data: { lines: [1] }, cause: 'evt_1' }],
  webhook_events: ['evt_1'],
}

/** Observes a database in which `run` executes SQL. */
async function checkObservations(address: string, run: (sql: string) => Promise<void>) {
  await run(TABLES)
  const { begin, observe } = createDatabaseObserver(address)
  await begin()
  assert.is(await observe(), '{}')
  await run(CHANGES)
  assert.equal(JSON.parse(await observe()), OBSERVED)
  await begin()
  await run("UPDATE accounts SET balance = balance + 1 WHERE name = 'ada'")
  assert.match(await observe(), '"balance":1,')
}

test('observes the rows that a run adds, changes and deletes in SQLite', async () => {
  const file = join(newFolder(), 'shop.sqlite')
  await checkObservations(file, async (sql) => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  })
})

test('observes the rows that a run adds, changes and deletes in PostgreSQL', async () => {
  const url = await newDatabaseUrl()
  const schema = new URL(url).searchParams.get('schema')
  const run = (sql: string) =>
    onDatabase(url, async (client) => {
      await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"; SET search_path TO "${schema}"; ${sql}`)
    })
  await checkObservations(url, run).finally(() => dropDatabase(url))
})

test('accepts a missing SQLite file before the scenario, and names it afterwards', async () => {
  const { begin, observe } = createDatabaseObserver(join(newFolder(), 'shop.sqlite'))
  await begin()
  const problem = await observe().catch(String)
  assert.match(problem, /shop\.sqlite does not exist/)
})

test('combines the responses of an app with its tables, and rejects a command', async () => {
  const file = join(newFolder(), 'shop.sqlite')
  new DatabaseSync(file).close()
  const { observe } = createObservation(async () => '[1]', file)
  assert.is(typeof observe === 'function' ? await observe() : observe, '{"responses":[1],"tables":{}}')
  assert.throws(
    () => createObservation('curl localhost', file),
    /--observe and --database cannot both be set/,
  )
})

test.after(stopOwnPostgres)

test.run()
