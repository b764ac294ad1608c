import { createHash } from 'node:crypto'
import * as client from '../../../src/client/index.ts'
import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { createResourcePageResponse, listResources } from '../../../src/pages/reference/resource-pages.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/resource-pages')

const RESOURCES = listResources(DOCUMENT)
const PAGES = new Map(RESOURCES.map((one) => [one.name, createResourcePageResponse(one, DOCUMENT)]))

function bodyOf(name: string): string {
  return PAGES.get(name)?.body ?? ''
}

test('shows each operation with its parameters, examples and objects', () => {
  const body = bodyOf('refunds')
  for (const text of [
    '<h2>Refunds a succeeded payment, in part or in full</h2>',
    '<code><b>POST</b> /v1/refunds</code>',
    '<p>Returns <a href="#refund"><code>refund</code></a>.</p>',
    '<p>Returns a list of <a href="#refund"><code>refund</code></a>.</p>',
    '<dt><code>payment</code> <small>string, required</small></dt><dd>The payment to refund.</dd>',
    '<small>string: duplicate, fraudulent, requested_by_customer</small>',
    'paycli post /v1/refunds --from-file - &lt;&lt;&#39;JSON&#39;',
    'curl -X POST http',
    'await client.call(refunds.create, {',
    'data-method="POST" data-path="/v1/refunds" data-body="{',
  ])
    assert.match(body, text)
})

test('shows the fields of nested objects and list entries', () => {
  assert.match(
    bodyOf('checkout-sessions'),
    '<dt><code>subscription_data.items[].price_data.amount</code> <small>integer, required</small></dt>',
  )
})

test('the TypeScript examples call operations of the published client', () => {
  for (const { body } of PAGES.values()) {
    for (const [, group = '', name = ''] of body.matchAll(/client\.call\((\w+)\.(\w+)/g)) {
      const operations = (client as Readonly<Record<string, unknown>>)[group] as Readonly<
        Record<string, unknown>
      >
      assert.ok(operations?.[name], `${group}.${name}`)
    }
  }
})

test('shows no example and no form for the streams that only listeners open', () => {
  const body = bodyOf('streams')
  assert.match(body, 'paycli events tail')
  assert.not.match(body, 'client.call')
  assert.not.match(body, 'class="try"')
})

for (const type of EVENT_TYPES) {
  test(`shows the cause of ${type} and the action for a handler`, () => {
    const [when] = EVENT_DESCRIPTIONS[type]
    const [, section = ''] = bodyOf('deliveries').split(`<section id="${type}">`)
    assert.ok(section.startsWith(`<h2><code>${type}</code></h2>`))
    assert.match(section, when.split('`')[0] ?? '')
  })
}

test('escapes the strings of an OpenAPI document', () => {
  const [resource] = RESOURCES
  assert.ok(resource)
  const hostile = '<img src=x onerror=alert(1)> `<script>` **<b>**'
  const operations = resource.operations.map((one) => ({
    ...one,
    operation: { ...one.operation, summary: hostile, description: hostile },
  }))
  const { body } = createResourcePageResponse(
    { ...resource, title: hostile, description: hostile, operations },
    DOCUMENT,
  )
  assert.not.match(body, '<img')
  assert.is(body.match(/<script>/g)?.length, 1)
  assert.match(body, '<code>&lt;script&gt;</code> <b>&lt;b&gt;</b>')
})

test('the Content-Security-Policy allows the script of the page and requests to its own origin only', () => {
  const { headers, body } = PAGES.get('refunds') ?? { headers: {}, body: '' }
  const script = /<script>([\s\S]*)<\/script>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  assert.ok(headers['Content-Security-Policy']?.endsWith(`; script-src 'sha256-${hash}'; connect-src 'self'`))
})

test.run()
