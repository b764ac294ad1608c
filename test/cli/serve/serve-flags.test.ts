import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import {
  flagError,
  pagesPort,
  parseAdmittedKey,
  parseBusinessName,
  parseDatabase,
  parseDunning,
  parseOwnUrl,
  parseWebhookSecret,
} from '../../../src/cli/serve/serve-flags.ts'
import { DomainError } from '../../../src/domain/domain-error.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/serve-flags')

/** What a flag is refused with. */
function refusal(parse: () => unknown): UsageError {
  try {
    parse()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('the pages have a port of their own: 4101, a free one beside a free one, and never that of the API', () => {
  assert.equal([pagesPort(4100, undefined), pagesPort(0, undefined)], [4101, 0])
  assert.equal([pagesPort(4100, 9), pagesPort(0, 9), pagesPort(9, 0), pagesPort(0, 0)], [9, 9, 0, 0])
  for (const given of [undefined, 4101]) {
    const { param, message, hint } = refusal(() => pagesPort(4101, given))
    assert.is(param, 'checkout-port')
    assert.is(message, 'The API and the hosted pages cannot both have port 4101.')
    assert.match(hint ?? '', '--checkout-port <port>')
  }
})

test('an own address has no slash at its end', () => {
  assert.is(parseOwnUrl('https://pay.example.com', 'checkout-url'), 'https://pay.example.com')
  assert.is(parseOwnUrl('HTTPS://Pay.Example.com:443/', 'checkout-url'), 'https://pay.example.com')
  assert.is(parseOwnUrl('http://localhost:8080/shop//', 'checkout-url'), 'http://localhost:8080/shop')
})

const NO_ADDRESSES = [
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

for (const given of NO_ADDRESSES) {
  test(`'${given}' is no own address`, () => {
    const { message, param, hint } = refusal(() => parseOwnUrl(given, 'checkout-url'))
    assert.equal([message, param], [`'${given}' is no address to be reached at.`, 'checkout-url'])
    assert.match(hint ?? '', 'https://pay.example.com')
  })
}

test('a webhook secret is whsec_ and base64 of at least 24 bytes, and an empty one is none', () => {
  const secret = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`
  assert.is(parseWebhookSecret(secret), secret)
  assert.is(parseWebhookSecret(''), undefined)
  assert.is(parseWebhookSecret(undefined), undefined)
  for (const given of ['whsec_short', 'mine', `${secret} `, `sk_${secret}`]) {
    const { message, param } = refusal(() => parseWebhookSecret(given))
    assert.is(param, 'webhook-secret')
    assert.not.match(message, given)
  }
})

test('a key is any text without spaces, and an empty one is none', () => {
  assert.is(parseAdmittedKey('paysk_test_mine'), 'paysk_test_mine')
  assert.is(parseAdmittedKey('k'), 'k')
  assert.is(parseAdmittedKey(''), undefined)
  assert.is(parseAdmittedKey(undefined), undefined)
})

for (const key of ['two words', 'line\n', 'schlüssel', 'sk_live_abcdefgh', 'paysk_live_abcdefgh']) {
  test(`the key ${JSON.stringify(key)} is refused and not repeated`, () => {
    const { message, param } = refusal(() => parseAdmittedKey(key))
    assert.is(param, 'api-key')
    assert.not.match(message, key.trim())
  })
}

test('a business name is one line of up to a hundred characters, without the spaces around it', () => {
  assert.is(parseBusinessName(undefined), undefined)
  assert.is(parseBusinessName('  Northwind Rentals '), 'Northwind Rentals')
  assert.is(parseBusinessName('🏠'.repeat(100)), '🏠'.repeat(100))
  for (const [given, why] of [
    ['', 'is empty'],
    [' \t', 'is empty'],
    ['x'.repeat(101), 'has 101 characters, more than 100'],
    ['two\nlines', 'holds a control character'],
    ['two\u2028lines', 'holds a control character'],
    ['a\u0000b', 'holds a control character'],
    ['a\u001b[31mb', 'holds a control character'],
  ] as const) {
    const { message, param, hint } = refusal(() => parseBusinessName(given))
    assert.is(param, 'business-name')
    assert.match(message, `The business name ${why}`)
    assert.match(hint ?? '', 'up to 100 characters')
  }
})

test('a database has a path', () => {
  assert.is(parseDatabase('./payments.json'), resolve('payments.json'))
  for (const windows of ['C:\\Users\\me@corp\\db.json', 'd:/me@corp/db.json'])
    assert.is(parseDatabase(windows), resolve(windows))
  const existing = join(newFolder(), 'a:b@c.json')
  assert.match(refusal(() => parseDatabase(existing)).message, 'no URL of a database')
  writeFileSync(existing, '')
  assert.is(parseDatabase(existing), existing)
  assert.is(parseDatabase('postgres://me@db.example/pay'), 'postgres://me@db.example/pay')
  assert.match(refusal(() => parseDatabase('mysql://me@db.example/pay')).message, 'mysql://')
  assert.is(refusal(() => parseDatabase('')).param, 'db')
})

for (const [url, why] of [
  ['postgres:/me:s3cret@db.example/pay', 'is no URL of a database'],
  ['postgresql:me:s3cret@db.example/pay', 'is no URL of a database'],
  [' postgres://me:s3cret@db.example/pay', 'is no URL of a database'],
  ['pay:s3cret@host/p', 'is no URL of a database'],
  ['./pay:s3cret@host/p', 'is no URL of a database'],
  ['pay:s3/cret@host:5432/p', 'is no URL of a database'],
  ['pay:s3cret\n@host/p', 'is no URL of a database'],
  ['mysql:pay:s3cret@host/p', 'is no URL of a database'],
  ['jdbc:postgresql://me:s3cret@db.example/pay', 'jdbc:postgresql://'],
] as const) {
  test(`'${url}' becomes no name of a file, and its password is not repeated`, () => {
    const { message, hint, param } = refusal(() => parseDatabase(url))
    assert.match(message, why)
    assert.is(param, 'db')
    assert.not.match(`${message} ${hint}`, 's3cret')
  })
}

test('security 4: a database that services share takes no key that somebody might guess, and none is repeated', () => {
  const url = 'postgres://me@db.example/pay'
  const { message, param } = refusal(() => parseDatabase(url, 'paysk_test_mine'))
  assert.is(param, 'api-key')
  assert.match(message, '15 characters, too few for a database that other services share')
  assert.not.match(message, 'paysk_test_mine')
  assert.is(parseDatabase(url, 'x'.repeat(32)), url)
  assert.is(parseDatabase('./payments.json', 'test'), resolve('payments.json'), 'of a file one is alone')
})

test('how failed invoices are collected is said in days and what follows', () => {
  assert.equal(parseDunning(undefined, undefined), { retry_days: [3, 5, 7], on_exhausted: 'cancel' })
  assert.equal(parseDunning('1,2', 'unpaid'), { retry_days: [1, 2], on_exhausted: 'unpaid' })
  assert.equal(parseDunning('none', 'past_due'), { retry_days: [], on_exhausted: 'past_due' })
  for (const days of ['', 'soon', '0', '31', '1,,2', '1,2,3,4,5,6,7,8,9']) {
    const { param, message } = refusal(() => parseDunning(days, undefined))
    assert.is(param, 'dunning')
    assert.match(message, `'${days}' are no retry days`)
  }
})

test('what the service refuses when it starts is a wrong flag; anything else stays what it is', () => {
  const told = flagError(new DomainError('parameter_invalid_string', 'No wait.', { param: 'retry_schedule' }))
  assert.instance(told, UsageError)
  const { message, param } = told as UsageError
  assert.equal([message, param], ['No wait.', 'retry-schedule'])
  assert.is((flagError(new DomainError('webhook_endpoint_limit', 'Too many.')) as UsageError).param, null)
  const bug = new Error('x')
  assert.is(flagError(bug), bug)
})

test.run()
