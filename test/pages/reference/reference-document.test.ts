import { TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { createReferenceDocument } from '../../../src/pages/reference/reference-document.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/reference-document')

interface ShownOperation {
  readonly summary: string
  readonly description: string
  readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[]
}

interface ShownDocument {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: ShownOperation }>>
}

const shown = createReferenceDocument(DOCUMENT) as ShownDocument

function sampleOf(method: string, path: string): string | undefined {
  return shown.paths[path]?.[method]?.['x-codeSamples']?.find(({ label }) => label === 'paycli')?.source
}

for (const type of EVENT_TYPES) {
  test(`names ${type} in the title of its webhook, and its cause and the action for a handler below`, () => {
    const [when, action] = EVENT_DESCRIPTIONS[type]
    const { summary, description } = shown.webhooks[type]?.post ?? {}
    assert.is(summary, type)
    assert.ok(description?.startsWith(`${when} ${action}\n\n`))
  })
}

test('has a paycli example for every operation that a command can send', () => {
  const without = Object.entries(shown.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => sampleOf(method, path) === undefined)
      .map((method) => `${method} ${path}`),
  )
  assert.ok(
    without.every((operation) => operation.includes(' /v1/stream/')),
    without.join(', '),
  )
})

test('the paycli example of a POST contains the example body, and that of a GET the example id', () => {
  const [command = '', ...lines] = sampleOf('post', '/v1/customers')?.split('\n') ?? []
  assert.is(command, "paycli post /v1/customers --from-file - <<'JSON'")
  const body = DOCUMENT.paths['/v1/customers']?.['post']?.requestBody?.content['application/json']?.example
  assert.equal(JSON.parse(lines.slice(0, -1).join('\n')), body)
  assert.match(sampleOf('get', '/v1/customers/{id}') ?? '', /^paycli get \/v1\/customers\/cus_\w+$/)
  assert.is(sampleOf('get', '/v1/stream'), 'paycli events tail')
})

test('lists every test card', () => {
  for (const { number, alias } of TEST_CARDS)
    assert.match(shown.info.description, `| \`${number}\` | \`${alias}\` |`)
})

test.run()
