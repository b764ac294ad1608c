import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { parseForwardTarget } from '../../../src/cli/listen/forward-target.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/forward-target')

const PLACES: readonly (readonly [given: string, url: string])[] = [
  ['3000', 'http://127.0.0.1:3000/'],
  [':3000', 'http://127.0.0.1:3000/'],
  ['3000/hook', 'http://127.0.0.1:3000/hook'],
  ['3000?a=1', 'http://127.0.0.1:3000/?a=1'],
  ['localhost:3000', 'http://localhost:3000/'],
  ['localhost:3000/a/b?c=d', 'http://localhost:3000/a/b?c=d'],
  ['shop.test', 'http://shop.test/'],
  ['shop.test/hook', 'http://shop.test/hook'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['http://shop.test', 'http://shop.test/'],
  ['HTTPS://Shop.test/Hook', 'https://shop.test/Hook'],
  ['shop.test/next=http://x.test', 'http://shop.test/next=http://x.test'],
]

for (const [given, url] of PLACES) {
  test(`${given} is ${url}`, () => assert.is(parseForwardTarget(given), url))
}

const NO_PLACES = [
  '',
  ' ',
  'bad url',
  '3000 ',
  '0',
  '70000',
  '123456/hook',
  '/hook',
  '//shop.test/hook',
  'ftp://shop.test/hook',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'mailto:ada@example.com',
  'http://',
  'http://user:secret@shop.test',
  'user@shop.test',
  '?a=1',
  '#x',
  'a\nb',
]

for (const given of NO_PLACES) {
  test(`${JSON.stringify(given)} is no place`, () => {
    try {
      assert.unreachable(`it is ${parseForwardTarget(given)}`)
    } catch (error) {
      assert.instance(error, UsageError)
      const { message, param, hint } = error as UsageError
      assert.is(message, `'${given}' is no place to forward webhooks to.`)
      assert.is(param, 'forward-to')
      assert.match(hint ?? '', '3000/hook')
    }
  })
}

test.run()
