import { StartupProblem } from '../../src/domain/startup-problem.ts'
import {
  isDatabaseUrl,
  nameOfDatabase,
  parseDatabaseUrl,
  withoutSecrets,
} from '../../src/store/database-url.ts'
import { assert, suite } from '../support/suite.ts'

const SECRET = 's3cret'

const test = suite('store/database-url')

/** What a URL is refused with. */
function problem(url: string): StartupProblem {
  try {
    parseDatabaseUrl(url)
  } catch (error) {
    if (error instanceof StartupProblem) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('a URL of PostgreSQL is told from a path', () => {
  for (const url of ['postgres://host/name', 'postgresql://host/name', 'POSTGRES://host/name'])
    assert.ok(isDatabaseUrl(url), url)
  for (const path of ['/var/postgres', 'postgres.json', './postgres:/x', 'mysql://host/name', ''])
    assert.not.ok(isDatabaseUrl(path), path)
})

test('the schema is paycli unless the URL names one, and all other parameters are left to the driver', () => {
  assert.equal(parseDatabaseUrl('postgres://me@host/name'), {
    connectionString: 'postgres://me@host/name',
    schema: 'paycli',
  })
  assert.equal(parseDatabaseUrl('postgres://me@host/name?sslmode=verify-full&schema=staging_2'), {
    connectionString: 'postgres://me@host/name?sslmode=verify-full',
    schema: 'staging_2',
  })
})

const LONGEST = 's'.repeat(63)

test('a schema may be as long as PostgreSQL takes it', () => {
  assert.is(parseDatabaseUrl(`postgres://host/name?schema=${LONGEST}`).schema, LONGEST)
  const { message } = problem(`postgres://host/name?schema=${LONGEST}s`)
  assert.match(message, '64 characters, and PostgreSQL takes 63')
})

for (const schema of [
  '',
  'Staging',
  '1st',
  'a-b',
  'a b',
  'a.b',
  'ä',
  'a;DROP TABLE head',
  'a"; DROP SCHEMA paycli CASCADE; --',
  "a'",
  'a\n',
  'a\\',
  'a\0',
]) {
  test(`the schema ${JSON.stringify(schema)} is no plain name, and becomes part of no statement`, () => {
    const { code, message } = problem(
      `postgres://me:${SECRET}@host/name?schema=${encodeURIComponent(schema)}`,
    )
    assert.is(code, 'database_url_invalid')
    assert.match(message, 'is no plain name. Use small letters')
    assert.not.match(message, SECRET)
  })
}

for (const schema of ['pg_catalog', 'pg_mine', 'information_schema']) {
  test(`the schema ${schema} is PostgreSQL's own`, () => {
    assert.match(problem(`postgres://host/name?schema=${schema}`).message, 'keeps for itself')
  })
}

for (const query of ['shema=a', 'scheme=a', 'schemas=a', 'Schema=a', 'search_path=a', 'schema=a&schema=b']) {
  test(`${query} names no schema, and is not passed over`, () => {
    const { code, message } = problem(`postgres://me:${SECRET}@host/name?${query}`)
    assert.is(code, 'database_url_invalid')
    assert.match(message, 'Name the schema once')
  })
}

test('what others say in a database URL is theirs', () => {
  const { schema, connectionString } = parseDatabaseUrl(
    'postgres://host/name?sslmode=disable&application_name=x',
  )
  assert.is(schema, 'paycli')
  assert.match(connectionString, 'sslmode=disable&application_name=x')
})

for (const port of ['abc', '0', '-1', '100000', '']) {
  test(`the port ${JSON.stringify(port)} is no port`, () => {
    const { code, message } = problem(`postgres://me:${SECRET}@host/name?port=${port}`)
    assert.is(code, 'database_url_invalid')
    assert.match(message, 'from 1 to 65535')
  })
}

for (const url of [
  `postgres://me:${SECRET}/more@host/name`,
  `postgres://me:1/${SECRET}@host/name`,
  `postgres://me:/${SECRET}@host/name`,
  `postgres://me:1?${SECRET}@host/name`,
  `postgres://me:1#${SECRET}@host/name`,
  `postgres://me:1#${SECRET}`,
  `postgres://me:${SECRET}@host:port/name`,
  `postgres://me:${SECRET}@host:99999/name`,
  `postgres://me:${SECRET}@ho st/name`,
]) {
  test(`${url} is refused, and nothing of its password told`, () => {
    const { code, message } = problem(url)
    assert.is(code, 'database_url_invalid')
    assert.match(message, 'special characters percent-encoded')
    assert.not.match(message, SECRET)
    assert.not.match(message, 'me:1')
  })
}

for (const [url, name] of [
  [`postgres://me:${SECRET}@host/name`, 'postgres://me@host/name'],
  [`postgres://me:${SECRET}@host:5433/name?schema=staging`, 'postgres://me@host:5433/name?schema=staging'],
  [`postgres://host/name?user=me&password=${SECRET}`, 'postgres://host/name'],
  [`postgresql://me:p%40${SECRET}%2F@[::1]/name?sslpassword=${SECRET}`, 'postgresql://me@[::1]/name'],
  [`postgres://me:p@${SECRET}@host/name`, 'postgres://me@host/name'],
  [`postgres:///name?password=${SECRET}`, 'postgres:///name'],
] as const) {
  test(`${url} is shown as ${name}`, () => {
    assert.is(withoutSecrets(parseDatabaseUrl(url)), name)
    assert.is(nameOfDatabase(url), name)
  })
}

test('a path is shown as it is', () => {
  assert.is(nameOfDatabase('/home/ada/paycli.json'), '/home/ada/paycli.json')
})

test.run()
