import pg from 'pg'
import { StartupError } from '../../../src/domain/core/startup-error.ts'
import {
  findPlainTextWarning,
  formatDatabaseName,
  isDatabaseUrl,
  parseDatabaseUrl,
  redactDatabaseUrl,
} from '../../../src/store/port/database-url.ts'
import { assert, suite } from '../../support/suite.ts'

const SECRET = 's3cret'

const test = suite('store/database-url')

/** Returns the error for an invalid URL. */
function urlError(url: string): StartupError {
  try {
    parseDatabaseUrl(url)
  } catch (error) {
    if (error instanceof StartupError) return error
    throw error
  }
  throw new Error('the URL was accepted')
}

test('isDatabaseUrl distinguishes PostgreSQL URLs from paths', () => {
  for (const url of ['postgres://host/name', 'postgresql://host/name', 'POSTGRES://host/name'])
    assert.ok(isDatabaseUrl(url), url)
  for (const path of ['/var/postgres', 'postgres.json', './postgres:/x', 'mysql://host/name', ''])
    assert.not.ok(isDatabaseUrl(path), path)
})

test('parses the schema (default: paycli) and passes other parameters to the driver', () => {
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

test('accepts schema names up to the limit of PostgreSQL', () => {
  assert.is(parseDatabaseUrl(`postgres://host/name?schema=${LONGEST}`).schema, LONGEST)
})

const PLAIN = 'is not a valid name. Use lowercase letters'
const RESERVED = 'PostgreSQL reserves the schema name'
const PORT = 'from 1 to 65535'

for (const [query, why] of [
  ['schema=', PLAIN],
  ['schema=Staging', PLAIN],
  ['schema=1st', PLAIN],
  ['schema=a-b', PLAIN],
  ['schema=%C3%A4', PLAIN],
  ['schema=a%0A', PLAIN],
  ['schema=a%22%3B%20DROP%20SCHEMA%20paycli%20CASCADE%3B%20--', PLAIN],
  [`schema=${LONGEST}s`, '64 characters, and PostgreSQL allows 63'],
  ['schema=pg_mine', RESERVED],
  ['schema=information_schema', RESERVED],
  ['schema=a&schema=b', "'schema' is given more than once"],
  ['shema=a', "unknown parameter 'shema'. Valid parameters: schema, "],
  ['Schema=a', "unknown parameter 'Schema'. Valid"],
  ['port=abc', PORT],
  ['port=0', PORT],
  ['port=-1', PORT],
  ['port=65536', PORT],
  ['port=', PORT],
  [
    'ssl_mode=verify-full',
    "unknown parameter 'ssl_mode'. For TLS write sslmode=verify-full. Valid parameters:",
  ],
  ['sslMode=verify-full', "unknown parameter 'sslMode'. For TLS"],
  ['SSLMODE=require', "unknown parameter 'SSLMODE'. For TLS"],
  ['tls=true', "unknown parameter 'tls'. For TLS"],
  ['channel_binding=require', "unknown parameter 'channel_binding'. Valid parameters:"],
  ['=x', "unknown parameter ''"],
  ['sslmode=', "unknown sslmode ''. Valid values: disable, no-verify, require, verify-ca, verify-full"],
  ['sslmode', "unknown sslmode ''"],
  ['sslmode=Require', "unknown sslmode 'Require'"],
  ['sslmode=verify-full%20', "unknown sslmode 'verify-full '"],
  ['sslmode=verify-full&sslmode=disable', "'sslmode' is given more than once"],
  ['host=a&host=b', "'host' is given more than once"],
  ['sslrootcert=', "'sslrootcert' is empty"],
] as const) {
  test(`rejects the parameters ${query}`, () => {
    const { code, message } = urlError(`postgres://me:${SECRET}@db.example/name?${query}`)
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
  test(`passes sslmode=${mode} to the driver`, () => {
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
  test(`warns that the connection to ${address} is not encrypted`, () => {
    const warning = findPlainTextWarning(`postgres://me:${SECRET}@${address}`) ?? ''
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
  test(`does not warn that the connection to ${address} is not encrypted`, () => {
    assert.is(findPlainTextWarning(`postgres://${address}`), null)
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
  test(`rejects ${url} without printing its password`, () => {
    const { code, message } = urlError(url)
    assert.is(code, 'database_url_invalid')
    assert.match(message, 'percent-encode special characters')
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
  test(`prints the database URL ${url} without its password as ${name}`, () => {
    assert.is(redactDatabaseUrl(parseDatabaseUrl(url)), name)
    assert.is(formatDatabaseName(url), name)
  })
}

test('prints a database path unchanged', () => {
  assert.is(formatDatabaseName('/home/ada/paycli.json'), '/home/ada/paycli.json')
})

test.run()
