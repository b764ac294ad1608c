import pg from 'pg'
import { StartupProblem } from '../../../src/domain/startup-problem.ts'
import {
  isDatabaseUrl,
  nameOfDatabase,
  parseDatabaseUrl,
  plainTextWarning,
  withoutSecrets,
} from '../../../src/store/port/database-url.ts'
import { assert, suite } from '../../support/suite.ts'

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

test('the schema is paycli unless the URL names one, and the other parameters are left to the driver', () => {
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
    assert.match(
      message,
      /unknown parameter '\w+'\. Valid parameters: schema, |'schema' is given more than once/,
    )
  })
}

for (const [query, why] of [
  [
    'ssl_mode=verify-full',
    "unknown parameter 'ssl_mode'. For TLS write sslmode=verify-full. Valid parameters:",
  ],
  ['sslMode=verify-full', "unknown parameter 'sslMode'. For TLS"],
  ['SSLMODE=require', "unknown parameter 'SSLMODE'. For TLS"],
  ['tls=true', "unknown parameter 'tls'. For TLS"],
  ['ssl=true', "unknown parameter 'ssl'. For TLS"],
  ['sslmod=require', "unknown parameter 'sslmod'. For TLS"],
  ['channel_binding=require', "unknown parameter 'channel_binding'. Valid parameters:"],
  ['target_session_attrs=read-write', "unknown parameter 'target_session_attrs'. Valid"],
  ['=x', "unknown parameter ''"],
  ['sslmode=', "unknown sslmode ''. Valid values: disable, no-verify, require, verify-ca, verify-full"],
  ['sslmode', "unknown sslmode ''"],
  ['sslmode=Require', "unknown sslmode 'Require'"],
  ['sslmode=true', "unknown sslmode 'true'"],
  ['sslmode=prefer', "unknown sslmode 'prefer'"],
  ['sslmode=verify_full', "unknown sslmode 'verify_full'"],
  ['sslmode=verify-full%20', "unknown sslmode 'verify-full '"],
  ['sslmode=verify-full&sslmode=disable', "'sslmode' is given more than once"],
  ['sslmode=disable&sslmode=disable', "'sslmode' is given more than once"],
  ['host=a&host=b', "'host' is given more than once"],
  ['sslrootcert=', "'sslrootcert' is empty"],
] as const) {
  test(`${query} is refused, because the driver would connect in plain text`, () => {
    const { code, message } = problem(`postgres://me:${SECRET}@db.example/name?${query}`)
    assert.is(code, 'database_url_invalid')
    assert.match(message, why)
    assert.not.match(message, SECRET)
  })
}

for (const [mode, ssl] of [
  ['disable', false],
  ['no-verify', { rejectUnauthorized: false }],
  ['verify-full', {}],
] as const) {
  test(`the driver understands sslmode=${mode}`, () => {
    const { connectionString } = parseDatabaseUrl(`postgres://host/name?sslmode=${mode}&application_name=x`)
    const client: unknown = new pg.Client(connectionString)
    assert.equal((client as { connectionParameters: { ssl: unknown } }).connectionParameters.ssl, ssl)
  })
}

for (const address of [
  'db.example/name',
  'db.example/name?sslmode=disable',
  '192.0.2.7/name',
  '[2001:db8::1]/name',
  'localhost/name?host=db.example',
  'db.example/name?sslmode=disable&sslrootcert=/ca.pem',
]) {
  test(`warns that ${address} is reached in plain text`, () => {
    const warning = plainTextWarning(`postgres://me:${SECRET}@${address}`) ?? ''
    assert.match(warning, 'is not encrypted')
    assert.match(warning, 'sslmode=verify-full')
    assert.not.match(warning, SECRET)
  })
}

for (const address of [
  'db.example/name?sslmode=verify-full',
  'db.example/name?sslmode=no-verify',
  'db.example/name?sslrootcert=/ca.pem',
  'localhost/name',
  '127.0.0.1:5433/name',
  '[::1]/name',
  '/name',
  '%2Fvar%2Frun%2Fpostgresql/name',
  'db.example/name?host=/var/run/postgresql',
]) {
  test(`does not warn of ${address}`, () => {
    assert.is(plainTextWarning(`postgres://${address}`), null)
  })
}

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
  [`postgresql://me:p%40${SECRET}%2F@[::1]/name?password=${SECRET}`, 'postgresql://me@[::1]/name'],
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
