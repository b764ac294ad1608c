import { findReturnTarget } from '../../../src/pages/view/return-url.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('return-url')

const urlOf = (return_url: string | null) => findReturnTarget({ id: 'py_sess_1', return_url })?.url ?? null

test('returns a return_url without placeholders unchanged', () => {
  for (const url of [
    'https://shop.example',
    'http://localhost:3000/thanks?b=2&a=1&a=3#end',
    'https://shop.example/a%20b/ü?x=\'"<>;y={z}',
    'HTTPS://Shop.Example:443/',
  ]) {
    assert.is(urlOf(url), url)
  }
})

test('replaces the id placeholders of a return_url', () => {
  const written = urlOf(
    'https://shop.example/{PAYMENT_SESSION_ID}?s={PAYMENT_SESSION_ID}&c={CHECKOUT_SESSION_ID}',
  )
  assert.is(written, 'https://shop.example/py_sess_1?s=py_sess_1&c=py_sess_1')
})

test('returns null for a return_url with another scheme than http or https or with credentials', () => {
  for (const url of [
    null,
    '',
    '/thanks',
    '//evil.example',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)//http://x',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://user:secret@shop.example/',
    'https://user@shop.example/',
    'https://:secret@shop.example/',
    `https://shop.example/${'x'.repeat(2048)}`,
  ]) {
    assert.is(urlOf(url), null, String(url))
  }
})

test('returns the host of a return_url', () => {
  assert.is(
    findReturnTarget({ id: 'cks_1', return_url: 'https://shop.example:8443/x' })?.host,
    'shop.example:8443',
  )
})

test.run()
