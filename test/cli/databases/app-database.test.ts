import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type AppDatabase,
  readAppDatabase,
  removeDatabasePasswords,
  requireDatabaseAddress,
} from '../../../src/cli/databases/app-database.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { newFolder } from '../../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/databases/app-database')

const SECRET = 's3cret'
const SQLITE = `CREATE TABLE orders (id INTEGER PRIMARY KEY, amount INTEGER, paid BOOLEAN, note TEXT, data BLOB);
  CREATE TABLE "odd ""name" (value REAL); CREATE TABLE links (b TEXT, a TEXT, PRIMARY KEY (a, b));
  INSERT INTO orders VALUES (1, 1999, 1, NULL, x'0aff'), (2, 9007199254740993, 0, 'Café', NULL);
  INSERT INTO "odd ""name" VALUES (1.5)`
const POSTGRES = `CREATE TABLE orders (id serial PRIMARY KEY, amount bigint, price numeric, paid boolean, day date, data jsonb);
  CREATE TABLE "Odd ""name" (value double precision);
  INSERT INTO orders (amount, price, paid, day, data)
    VALUES (1999, 10.50, true, '2026-01-31', '{"a": 1}'), (9007199254740993, NULL, false, NULL, NULL);
  INSERT INTO "Odd ""name" VALUES (1.5)`

/** Creates an SQLite file and returns its path. */
function createSqliteFile(sql = SQLITE): string {
  const file = join(newFolder(), 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  return file
}

/** Returns the names, keys and rows of all tables. */
async function readAll({ listTables, readTable }: AppDatabase) {
  const tables = await listTables()
  return Promise.all(tables.map(async (table) => [table.name, table.key, await readTable(table)]))
}

async function errorOf(address: string, work: (database: AppDatabase) => Promise<unknown> = readAll) {
  try {
    await readAppDatabase(address, work)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('there was no error')
}

let postgresUrl: string

test.before(async () => {
  postgresUrl = await newDatabaseUrl()
  await onDatabase(postgresUrl, async (client) => {
    const schema = new URL(postgresUrl).searchParams.get('schema')
    await client.query(`CREATE SCHEMA "${schema}"; SET search_path TO "${schema}"; ${POSTGRES}`)
  })
})

test.after(async () => {
  await dropDatabase(postgresUrl)
  await stopOwnPostgres()
})

test('reads the tables of an SQLite file by its path and by URLs', async () => {
  const file = createSqliteFile()
  const expected = [
    ['links', ['b', 'a'], []],
    ['odd "name', [], [{ value: 1.5 }]],
    [
      'orders',
      ['id'],
      [
        { id: 1, amount: 1999, paid: 1, note: null, data: '0aff' },
        { id: 2, amount: '9007199254740993', paid: 0, note: 'Café', data: null },
      ],
    ],
  ]
  const own = relative(process.cwd(), file)
  const addresses = [
    file,
    own,
    `sqlite:${file}`,
    `sqlite://${file}`,
    `sqlite:///${own}?mode=ro`,
    `file:${own}`,
  ]
  for (const address of addresses) assert.equal(await readAppDatabase(address, readAll), expected, address)
})

test('reads the tables of the schema of a PostgreSQL URL', async () => {
  const expected = [
    ['Odd "name', [], [{ value: 1.5 }]],
    [
      'orders',
      ['id'],
      [
        { id: 1, amount: 1999, price: 10.5, paid: true, day: '2026-01-31', data: '{"a": 1}' },
        { id: 2, amount: '9007199254740993', price: null, paid: false, day: null, data: null },
      ],
    ],
  ]
  const driverUrl = postgresUrl.replace('postgres:', 'postgresql+psycopg:')
  for (const address of [postgresUrl, driverUrl])
    assert.equal(await readAppDatabase(address, readAll), expected)
})

test('reads the tables of all schemas if the URL names none', async () => {
  const schema = new URL(postgresUrl).searchParams.get('schema')
  const tables = await readAppDatabase(postgresUrl.replace(/\?.*/, ''), ({ listTables }) => listTables())
  const names = tables.map(({ name }) => name)
  assert.ok(names.includes(`${schema}.orders`), names.join(' '))
  assert.not.ok(names.some((name) => name.startsWith('pg_catalog')))
})

test('returns the rows of queries, and rejects changes', async () => {
  const file = createSqliteFile()
  for (const address of [file, postgresUrl]) {
    const sum = await readAppDatabase(address, ({ query }) =>
      query('SELECT count(*) AS orders FROM orders WHERE amount < 2000'),
    )
    assert.equal(sum, [{ orders: 1 }])
    const change = await errorOf(address, ({ query }) => query('DELETE FROM orders'))
    assert.match(change.message, /Cannot read the result of the query of .*: .*read.?only/)
  }
  const empty = await errorOf(file, ({ query }) => query('-- later'))
  assert.not.match(empty.message, /\.\.$/)
  const several = await errorOf(postgresUrl, ({ query }) => query('COMMIT; DELETE FROM orders'))
  assert.match(several.message, 'multiple commands')
  assert.is((await readAppDatabase(postgresUrl, ({ query }) => query('SELECT * FROM orders'))).length, 2)
})

test('rejects a table with too many rows', async () => {
  const sql = `CREATE TABLE visits AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100001) SELECT i FROM n`
  const { code, message } = await errorOf(createSqliteFile(sql))
  assert.is(code, 'database_too_large')
  assert.match(message, /More than 100,000 rows in the table visits of .*shop\.sqlite\./)
})

test('names a missing file, a file of another type and an invalid query', async () => {
  const folder = newFolder()
  assert.is((await errorOf(join(folder, 'missing.sqlite'))).code, 'database_missing')
  writeFileSync(join(folder, 'text.sqlite'), 'no database '.repeat(100))
  assert.match((await errorOf(join(folder, 'text.sqlite'))).message, /text\.sqlite: file is not a database\./)
  const given = () => requireDatabaseAddress(join(folder, 'text.sqlite'))
  assert.throws(given, /text\.sqlite is not an SQLite database\./)
  requireDatabaseAddress(createSqliteFile())
  const invalid = await errorOf(createSqliteFile(), ({ query }) => query('SELECT total FROM orders'))
  assert.match(invalid.message, 'no such column: total')
})

for (const address of [
  `mysql://me:${SECRET}@host/shop`,
  `postgres://me:1/${SECRET}@host/shop`,
  `postgres://me:${SECRET}@host:99999/shop`,
]) {
  test(`rejects ${address} without printing its password`, () => {
    try {
      requireDatabaseAddress(address)
    } catch (error) {
      assert.instance(error, UsageError)
      const { message, hint, param } = error as UsageError
      assert.is(param, 'database')
      assert.match(hint ?? '', 'Expected the path of an SQLite file')
      assert.not.match(message + hint, SECRET)
      return
    }
    assert.unreachable('the address was accepted')
  })
}

test('reads the address from a variable, and names a missing variable', async () => {
  process.env['SHOP_DATABASE'] = createSqliteFile()
  const tables = await readAppDatabase('$SHOP_DATABASE', ({ listTables }) => listTables())
  assert.is(tables.length, 3)
  const { message } = await errorOf('$NO_DATABASE')
  assert.is(message, 'The variable NO_DATABASE is not set in the environment and not in the file .env.')
})

test('hides the password of a URL in a command line', () => {
  const word = `--database=postgres://me:${SECRET}@x@host/shop`
  assert.is(removeDatabasePasswords(word), '--database=postgres://me@host/shop')
  const script = `DATABASE_URL='mysql+driver://me:${SECRET}@host/shop' node app.js --mail a@b.example`
  assert.is(
    removeDatabasePasswords(script),
    "DATABASE_URL='mysql+driver://me@host/shop' node app.js --mail a@b.example",
  )
  assert.is(
    removeDatabasePasswords(`postgres://host/shop?user=me&password=${SECRET}&schema=a`),
    'postgres://host/shop?user=me&password=&schema=a',
  )
  const page = 'http://localhost:3000/access?email=a@b.example'
  for (const other of ['postgres://me@host/shop', 'shop.sqlite', '--url', page])
    assert.is(removeDatabasePasswords(other), other)
})

test('names an unreachable server without its password', async () => {
  const { code, message } = await errorOf(`postgres://me:${SECRET}@127.0.0.1:1/shop`)
  assert.is(code, 'database_unreadable')
  assert.match(message, 'Cannot open the database postgres://me@127.0.0.1:1/shop: ')
  assert.not.match(message, SECRET)
})

test.run()
