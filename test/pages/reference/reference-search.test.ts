import { readGuides } from '../../../src/pages/reference/guides.ts'
import { createSearch } from '../../../src/pages/reference/reference-search.ts'
import { listResources } from '../../../src/pages/reference/resource-pages.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/reference-search')

const search = createSearch(DOCUMENT, listResources(DOCUMENT), readGuides())

/** Returns the addresses that a query finds. */
function find(query: string): string[] {
  return [...search(query).body.matchAll(/<li><a href="(.*?)"/g)].map(([, url = '']) => url)
}

/** A query, and an address that must be among its first results. */
const FOUND: readonly (readonly [query: string, url: string])[] = [
  ['3ds', '/docs/guides/test-cards#3-d-secure'],
  ['3-D Secure', '/docs/guides/test-cards#3-d-secure'],
  ['declined card', '/docs/errors#card_declined'],
  ['declined card', '/docs/guides/billing#end-a-trial-with-a-card-that-is-declined'],
  ['declined card', '/docs/guides/test-cards'],
  ['retry failed payment', '/docs/api/deliveries#invoice.payment_failed'],
  ['retry failed payment', '/docs/guides/api#charge-a-saved-card'],
  ['REFUNDS', '/docs/api/refunds#refunds.create'],
  ['invoice.payment_failed', '/docs/api/deliveries#invoice.payment_failed'],
  ['trial_end', '/docs/api/subscriptions#subscriptions.update'],
  ['4000000000000002', '/docs/guides/test-cards'],
  ['insufficient funds', '/docs/guides/test-cards'],
]
const FIRST = 12

for (const [query, url] of FOUND) {
  test(`finds ${url} with "${query}"`, () => {
    assert.ok(find(query).slice(0, FIRST).includes(url), find(query).join('\n'))
  })
}

test('finds nothing when a word occurs nowhere, and nothing without a word', () => {
  assert.equal(find('refund zzyzx'), [])
  assert.match(search('refund zzyzx').body, 'Nothing contains all these words.')
  for (const query of ['', ' . ']) assert.match(search(query).body, 'Enter words to search for.')
})

test('shows a hostile query as text, and at most 100 characters of it', () => {
  const { body } = search(`"><script>alert(1)</script>${'x'.repeat(200)}`)
  assert.not.match(body, '<script>')
  assert.match(body, `value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;${'x'.repeat(73)}"`)
})

test.run()
