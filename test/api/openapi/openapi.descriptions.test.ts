import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/openapi.descriptions')

interface Described {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly parameters?: readonly (Described & { readonly name?: string })[]
}

function hasDescription({ $ref: ref, description = '' }: Described): boolean {
  if (description.length > 5) return true
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(ref ?? '') ?? []
  const components: Readonly<Record<string, Readonly<Record<string, Described>>>> = JSON.parse(
    JSON.stringify(DOCUMENT.components),
  )
  const component = components[kind]?.[name]
  return component !== undefined && hasDescription(component)
}

/** Returns the paths of all properties and parameters without a description, at any depth. */
function findUndescribed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties = {}, parameters = [] } = value as Described
  const named = [
    ...Object.entries(properties),
    ...(Array.isArray(parameters) ? parameters : []).map((each) => [each.name ?? each.$ref, each] as const),
  ]
  const missing = named.filter(([, each]) => !hasDescription(each)).map(([name]) => `${path} ${name}`)
  const inner = Object.entries(value).flatMap(([key, each]) =>
    key === 'examples' || key === 'example' ? [] : findUndescribed(each, `${path}/${key}`),
  )
  return [...missing, ...inner]
}

test('every property and parameter of the OpenAPI document has a description', () => {
  assert.equal(findUndescribed(DOCUMENT, ''), [])
})

test('the check for descriptions finds properties and parameters without a description', () => {
  const schema = { properties: { a: { type: 'string' }, b: { description: 'The second one.' } } }
  const parameters = [{ name: 'limit' }, { $ref: '#/components/parameters/idempotency_key' }]
  assert.equal(findUndescribed({ schema, parameters }, ''), [' limit', '/schema a'])
})

for (const type of EVENT_TYPES) {
  test(`the description of ${type} names its cause and the action for a handler`, () => {
    const [when, action] = EVENT_DESCRIPTIONS[type]
    const { summary, description } = DOCUMENT.webhooks[type]?.['post'] ?? {}
    assert.match(when, /^[A-Z].*\.$/)
    assert.match(action, /^[A-Z].*\.$/)
    assert.is(summary, when)
    assert.ok(description?.startsWith(`${action}\n\n`))
  })
}

test.run()
