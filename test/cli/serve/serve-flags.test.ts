import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import {
  parseApiKey,
  parseBusinessName,
  parseDatabase,
  parseDunning,
  parsePublicUrl,
  parseWebhookSecret,
  resolvePagesPort,
  toFlagError,
} from '../../../src/cli/serve/serve-flags.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/serve-flags')

test('uses the next port or a free port for the hosted pages by default, and rejects the port of the API', () => {
  const defaults = [4100, 4101, 65_534, 0].map((port) => resolvePagesPort(port, undefined))
  assert.equal(defaults, [4101, 4102, 65_535, 0])
  assert.equal(
    [resolvePagesPort(4100, 9), resolvePagesPort(0, 9), resolvePagesPort(9, 0), resolvePagesPort(0, 0)],
    [9, 9, 0, 0],
  )
  const messages = [
    [4101, 4101, 'The API and the hosted pages cannot both use port 4101.'],
    [65_535, undefined, 'There is no port after 65535 for the hosted pages.'],
  ] as const
  for (const [port, given, expected] of messages) {
    const { param, message, hint } = usageErrorFrom(() => resolvePagesPort(port, given))
    assert.equal([param, message], ['checkout-port', expected])
    assert.match(hint ?? '', '--checkout-port <port>')
  }
})

test('normalizes a public URL and removes its trailing slashes', () => {
  assert.is(parsePublicUrl('https://pay.example.com', 'checkout-url'), 'https://pay.example.com')
  assert.is(parsePublicUrl('HTTPS://Pay.Example.com:443/', 'checkout-url'), 'https://pay.example.com')
  assert.is(parsePublicUrl('http://localhost:8080/shop//', 'checkout-url'), 'http://localhost:8080/shop')
})

const INVALID_URLS = [
  '',
  'pay.example.com',
  'localhost:4101',
  '/checkout',
  'ftp://pay.example.com',
  'javascript:alert(1)',
  'https://ada@pay.example.com',
  'https://ada:secret@pay.example.com',
  'https://pay.example.com?a=1',
  'https://pay.example.com#x',
  'https://pay. example.com',
]

for (const given of INVALID_URLS) {
  test(`rejects the public URL '${given}'`, () => {
    const { message, param, hint } = usageErrorFrom(() => parsePublicUrl(given, 'checkout-url'))
    assert.equal(
      [message, param],
      [`Invalid --checkout-url '${given}': expected a public URL.`, 'checkout-url'],
    )
    assert.match(hint ?? '', 'https://pay.example.com')
  })
}

test('accepts a webhook secret of the form whsec_ and base64, and ignores an empty value', () => {
  const secret = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`
  assert.is(parseWebhookSecret(secret), secret)
  assert.is(parseWebhookSecret(''), undefined)
  assert.is(parseWebhookSecret(undefined), undefined)
  for (const given of ['whsec_short', 'mine', `${secret} `, `sk_${secret}`]) {
    const { message, param } = usageErrorFrom(() => parseWebhookSecret(given))
    assert.is(param, 'webhook-secret')
    assert.not.match(message, given)
  }
})

test('accepts any API key without spaces, and ignores an empty value', () => {
  assert.is(parseApiKey('paysk_test_mine'), 'paysk_test_mine')
  assert.is(parseApiKey('k'), 'k')
  assert.is(parseApiKey(''), undefined)
  assert.is(parseApiKey(undefined), undefined)
})

const SANDBOX_KEY = `paysk_test_${'a'.repeat(24)}_${'b'.repeat(32)}`

for (const key of [
  'two words',
  'line\n',
  'schlüssel',
  'sk_live_abcdefgh',
  'paysk_live_abcdefgh',
  SANDBOX_KEY,
]) {
  test(`rejects the API key ${JSON.stringify(key)} without printing it`, () => {
    const { message, param } = usageErrorFrom(() => parseApiKey(key))
    assert.is(param, 'api-key')
    assert.not.match(message, key.trim())
  })
}

test('accepts a business name of one line and up to 100 characters, and trims it', () => {
  assert.is(parseBusinessName(undefined), undefined)
  assert.is(parseBusinessName('  Northwind Rentals '), 'Northwind Rentals')
  assert.is(parseBusinessName('🏠'.repeat(100)), '🏠'.repeat(100))
  for (const [given, why] of [
    ['', 'is empty'],
    [' \t', 'is empty'],
    ['x'.repeat(101), 'has 101 characters, more than 100'],
    ['two\nlines', 'contains a control character'],
    ['two\u2028lines', 'contains a control character'],
    ['a\u0000b', 'contains a control character'],
    ['a\u001b[31mb', 'contains a control character'],
  ] as const) {
    const { message, param, hint } = usageErrorFrom(() => parseBusinessName(given))
    assert.is(param, 'business-name')
    assert.match(message, `The business name ${why}`)
    assert.match(hint ?? '', 'up to 100 characters')
  }
})

test('parses a database path or URL', () => {
  assert.is(parseDatabase('./payments.json'), resolve('payments.json'))
  for (const windows of ['C:\\Users\\me@corp\\db.json', 'd:/me@corp/db.json'])
    assert.is(parseDatabase(windows), resolve(windows))
  const existing = join(newFolder(), 'a:b@c.json')
  assert.match(usageErrorFrom(() => parseDatabase(existing)).message, 'not a database URL')
  writeFileSync(existing, '')
  assert.is(parseDatabase(existing), existing)
  assert.is(parseDatabase('postgres://me@db.example/pay'), 'postgres://me@db.example/pay')
  assert.match(usageErrorFrom(() => parseDatabase('mysql://me@db.example/pay')).message, 'mysql://')
  assert.is(usageErrorFrom(() => parseDatabase('')).param, 'db')
})

for (const [url, why] of [
  ['postgres:/me:s3cret@db.example/pay', 'is not a database URL'],
  ['postgresql:me:s3cret@db.example/pay', 'is not a database URL'],
  [' postgres://me:s3cret@db.example/pay', 'is not a database URL'],
  ['pay:s3cret@host/p', 'is not a database URL'],
  ['./pay:s3cret@host/p', 'is not a database URL'],
  ['pay:s3/cret@host:5432/p', 'is not a database URL'],
  ['pay:s3cret\n@host/p', 'is not a database URL'],
  ['mysql:pay:s3cret@host/p', 'is not a database URL'],
  ['jdbc:postgresql://me:s3cret@db.example/pay', 'jdbc:postgresql://'],
] as const) {
  test(`rejects the mistyped URL '${url}' without printing its password`, () => {
    const { message, hint, param } = usageErrorFrom(() => parseDatabase(url))
    assert.match(message, why)
    assert.is(param, 'db')
    assert.not.match(`${message} ${hint}`, 's3cret')
  })
}

test('requires a strong key for a shared database, and does not print it', () => {
  const url = 'postgres://me@db.example/pay'
  const { message, param } = usageErrorFrom(() => parseDatabase(url, 'paysk_test_mine'))
  assert.is(param, 'api-key')
  assert.match(message, '15 characters, too few for a database that several servers can share')
  assert.not.match(message, 'paysk_test_mine')
  assert.is(parseDatabase(url, 'x'.repeat(32)), url)
  assert.is(parseDatabase('./payments.json', 'test'), resolve('payments.json'), 'a file has a single server')
})

test('parses the dunning retry days and the policy after the last retry', () => {
  assert.equal(parseDunning(undefined, undefined), { retry_days: [3, 5, 7], on_exhausted: 'cancel' })
  assert.equal(parseDunning('1,2', 'unpaid'), { retry_days: [1, 2], on_exhausted: 'unpaid' })
  assert.equal(parseDunning('none', 'past_due'), { retry_days: [], on_exhausted: 'past_due' })
  for (const days of ['', 'soon', '0', '31', '1,,2', '1,2,3,4,5,6,7,8,9']) {
    const { param, message } = usageErrorFrom(() => parseDunning(days, undefined))
    assert.is(param, 'dunning')
    assert.match(
      message,
      `Invalid retry days '${days}': expected 'none' or up to 8 whole numbers from 1 to 30`,
    )
  }
})

test('converts an invalid server option to a usage error of its flag', () => {
  const flagError = toFlagError(
    new DomainError('parameter_invalid_string', 'No wait.', { param: 'retry_schedule' }),
  )
  assert.instance(flagError, UsageError)
  const { message, param } = flagError as UsageError
  assert.equal([message, param], ['No wait.', 'retry-schedule'])
  assert.is((toFlagError(new DomainError('webhook_endpoint_limit', 'Too many.')) as UsageError).param, null)
  const bug = new Error('x')
  assert.is(toFlagError(bug), bug)
})

test.run()
