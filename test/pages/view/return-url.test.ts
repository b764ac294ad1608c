import { returnTarget } from '../../../src/pages/view/return-url.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('return-url')

const urlOf = (return_url: string | null) => returnTarget({ id: 'py_sess_1', return_url })?.url ?? null

test('a URL is left exactly as it was given', () => {
  for (const url of [
    'https://shop.example',
    'http://localhost:3000/thanks?b=2&a=1&a=3#end',
    'https://shop.example/a%20b/ü?x=\'"<>;y={z}',
    'HTTPS://Shop.Example:443/',
  ]) {
    assert.is(urlOf(url), url)
  }
})

test('the id takes the place of its literals', () => {
  const written = urlOf(
    'https://shop.example/{PAYMENT_SESSION_ID}?s={PAYMENT_SESSION_ID}&c={CHECKOUT_SESSION_ID}',
  )
  assert.is(written, 'https://shop.example/py_sess_1?s=py_sess_1&c=py_sess_1')
})

test('nobody is sent anywhere but to the web', () => {
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

test('the host is named', () => {
  assert.is(
    returnTarget({ id: 'cks_1', return_url: 'https://shop.example:8443/x' })?.host,
    'shop.example:8443',
  )
})

test.run()
