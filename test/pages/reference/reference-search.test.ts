import { readGuides } from '../../../src/pages/reference/guides.ts'
import { createReferenceSearch } from '../../../src/pages/reference/reference-search.ts'
import { listResources } from '../../../src/pages/reference/resource-pages.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/reference-search')

let search: Awaited<ReturnType<typeof createReferenceSearch>>

test.before(async () => {
  search = await createReferenceSearch(DOCUMENT, listResources(DOCUMENT), readGuides())
})

/** Returns the addresses that a query finds. */
function find(query: string): string[] {
  return [...search(query).body.matchAll(/<li><a href="(.*?)"/g)].map(([, url = '']) => url)
}

/** Columns: query, number of results, URL that must be among these first results. */
const FOUND: readonly (readonly [query: string, first: number, url: string])[] = [
  ['3ds', 1, '/docs/guides/test-cards#3-d-secure'],
  ['3-D Secure', 1, '/docs/guides/test-cards#3-d-secure'],
  ['declined card', 1, '/docs/errors#card_declined'],
  ['declined card', 4, '/docs/guides/test-cards'],
  ['retry failed payment', 1, '/docs/api/deliveries#invoice.payment_failed'],
  ['retry failed payment', 2, '/docs/guides/webhooks#retries-order-and-disabled-endpoints'],
  ['retry failed payment', 12, '/docs/guides/api#charge-a-saved-card'],
  ['REFUNDS', 3, '/docs/api/refunds#refunds.create'],
  ['refund', 3, '/docs/api/refunds#refunds.create'],
  ['create customer', 1, '/docs/api/customers#customers.create'],
  ['test clock', 1, '/docs/guides/test-clocks'],
  ['sandbox', 1, '/docs/guides/sandboxes'],
  ['postgres', 1, '/docs/guides/postgresql'],
  ['authentification required', 1, '/docs/errors#authentication_required'],
  ['subscripton list', 2, '/docs/api/subscriptions#subscriptions.list'],
  ['recieve webhook', 1, '/docs/guides/webhooks'],
  ['invoice.payment_failed', 1, '/docs/api/deliveries#invoice.payment_failed'],
  ['/v1/refunds', 3, '/docs/api/refunds#refunds.create'],
  ['trial_end', 12, '/docs/api/subscriptions#subscriptions.update'],
  ['4000000000000002', 1, '/docs/guides/test-cards'],
  ['4000 0000 0000 0002', 1, '/docs/guides/test-cards'],
  ['insufficient funds', 1, '/docs/guides/test-cards'],
]

for (const [query, first, url] of FOUND) {
  test(`finds ${url} among the first ${first} results of "${query}"`, () => {
    assert.ok(find(query).slice(0, first).includes(url), find(query).join('\n'))
  })
}

test('finds entries with all words, or with some words when no entry has all words', () => {
  assert.equal(
    find('refund payment').filter((url) => url === '/docs/api/refunds#refunds.create'),
    ['/docs/api/refunds#refunds.create'],
  )
  assert.equal(find('refund zzyzx'), find('refund'))
  assert.match(search('zzyzx').body, 'Nothing contains these words.')
  for (const query of ['', ' . ']) assert.match(search(query).body, 'Enter words to search for.')
})

test('shows at most 100 characters of a hostile query, as text', () => {
  const { body } = search(`"><script>alert(1)</script>${'x'.repeat(200)}`)
  assert.not.match(body, '<script>')
  assert.match(body, `value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;${'x'.repeat(73)}"`)
})

test('reads at most 10 words and returns at most 40 results', () => {
  assert.equal(find(`${'refund '.repeat(10)}clock`), find('refund '.repeat(10)))
  assert.is(find('payment').length, 40)
})

test.run()
