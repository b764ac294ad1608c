import { parseTargetUrl } from '../../../src/cli/listen/forward-flags.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/forward-flags: targets')

const TARGETS: readonly (readonly [given: string, url: string])[] = [
  ['3000', 'http://localhost:3000/'],
  [':3000', 'http://localhost:3000/'],
  ['3000/hook', 'http://localhost:3000/hook'],
  ['3000?a=1', 'http://localhost:3000/?a=1'],
  ['localhost:3000', 'http://localhost:3000/'],
  ['localhost:3000/a/b?c=d', 'http://localhost:3000/a/b?c=d'],
  ['shop.test', 'http://shop.test/'],
  ['shop.test/hook', 'http://shop.test/hook'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['http://shop.test', 'http://shop.test/'],
  ['HTTPS://Shop.test/Hook', 'https://shop.test/Hook'],
  ['shop.test/next=http://x.test', 'http://shop.test/next=http://x.test'],
]

for (const [given, url] of TARGETS) {
  test(`parses the target ${given} as ${url}`, () => assert.is(parseTargetUrl(given), url))
}

const INVALID_TARGETS = [
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

for (const given of INVALID_TARGETS) {
  test(`throws a usage error for the target ${JSON.stringify(given)}`, () => {
    const { message, param, hint } = usageErrorFrom(() => parseTargetUrl(given))
    assert.equal([message, param], [`Invalid webhook target '${given}'.`, 'forward-to'])
    assert.match(hint ?? '', '3000/hook')
  })
}

test.run()
