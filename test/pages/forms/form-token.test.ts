import { createFormToken, verifyFormToken } from '../../../src/pages/forms/form-token.ts'
import { assert, suite } from '../../support/suite.ts'

const KEY = 'key'
const FORM = { sessionId: 'cks_1', nonce: 'n0nce', issuedAt: 1000 }
const READ = { sessionId: 'cks_1', now: 1000 }

const test = suite('form-token')

test('accepts a form token of the same session', () => {
  assert.equal(verifyFormToken(createFormToken(FORM, KEY), READ, KEY), FORM)
})

test('accepts a form token for one day', () => {
  const token = createFormToken(FORM, KEY)
  assert.ok(verifyFormToken(token, { ...READ, now: 1000 + 86_400 }, KEY))
  assert.is(verifyFormToken(token, { ...READ, now: 1000 + 86_401 }, KEY), null)
})

test('rejects a form token with another session, key, nonce or time', () => {
  const token = createFormToken(FORM, KEY)
  const [nonce, issued, signature] = token.split('.')
  assert.is(verifyFormToken(token, { ...READ, sessionId: 'cks_2' }, KEY), null)
  assert.is(verifyFormToken(token, READ, 'other key'), null)
  assert.is(verifyFormToken(`other.${issued}.${signature}`, READ, KEY), null)
  assert.is(verifyFormToken(`${nonce}.1001.${signature}`, READ, KEY), null)
})

test('rejects malformed form tokens', () => {
  const token = createFormToken(FORM, KEY)
  const flipped = token.slice(0, -5) + (token.at(-5) === 'A' ? 'B' : 'A') + token.slice(-4)
  const others = [
    undefined,
    '',
    '.',
    '..',
    'a.b.c',
    token.slice(1),
    `${token}A`,
    `${token} `,
    flipped,
    token.slice(0, -1),
  ]
  for (const other of others) assert.is(verifyFormToken(other, READ, KEY), null, String(other))
})

test('creates different tokens for different forms', () => {
  assert.is.not(createFormToken(FORM, KEY), createFormToken({ ...FORM, nonce: 'other' }, KEY))
})

test.run()
