import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../../../src/api/openapi/openapi.ts'
import type { OpenApiOperation, OpenApiParameter } from '../../../src/api/openapi/openapi-paths.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

// Requirements of linters (redocly, spectral) and client generators (orval, hey-api), tested without these tools.
const test = suite('api/openapi.clients')

const operations = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, operation })),
)
const deliveries = Object.entries(DOCUMENT.webhooks).map(([type, { post }]) => ({
  name: type,
  operation: post,
}))

function isSentence(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z`].{20,}[.!]$/s.test(text)
}

test('every operation, webhook and tag has a description that differs from its summary', () => {
  for (const { name, operation } of [...operations, ...deliveries]) {
    const { description, summary } = operation as OpenApiOperation
    assert.ok(isSentence(description), `${name}: ${description}`)
    assert.not.match(description, summary, name)
  }
  for (const { name, description } of DOCUMENT.tags) assert.ok(isSentence(description), name)
  assert.ok(DOCUMENT.info.contact.name)
})

test('every path and query parameter has a scalar type', () => {
  for (const { name, operation } of operations) {
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue
      const { name: own, style, schema } = parameter as OpenApiParameter
      // Generated clients serialize objects in a query in different ways.
      assert.not.equal(style, 'deepObject', `${name} ${own}`)
      assert.not.equal(schema['type'], 'object', `${name} ${own}`)
    }
  }
  const lists = operations.filter(({ operation }) =>
    operation.parameters?.some((parameter) => 'name' in parameter && parameter.name === 'starting_after'),
  )
  assert.ok(lists.length > 10)
})

test('lists have a parameter for each bound of created', () => {
  for (const path of ['/v1/customers', '/v1/events', '/v1/invoices', '/v1/request_logs']) {
    const { parameters = [] } = DOCUMENT.paths[path]?.['get'] ?? {}
    const names = parameters.flatMap((parameter) => ('name' in parameter ? [parameter.name] : []))
    for (const bound of ['created', 'created[gt]', 'created[gte]', 'created[lt]', 'created[lte]']) {
      assert.ok(names.includes(bound), `${path} ${bound}`)
    }
  }
})

test('every POST has a request body, which is optional for operations without parameters', () => {
  for (const { name, method, operation } of operations) {
    const { requestBody } = operation
    assert.is(requestBody !== undefined, method === 'post', name)
    const schema = requestBody?.content['application/json']?.schema as { properties?: object } | undefined
    if (schema?.properties === undefined || Object.keys(schema.properties).length > 0) continue
    assert.is(requestBody?.required, false, name)
    assert.match(requestBody?.description ?? '', 'no body or an empty object', name)
  }
  const expire = DOCUMENT.paths['/v1/checkout_sessions/{id}/expire']?.['post']?.requestBody
  assert.equal(expire?.content['application/json']?.schema, {
    type: 'object',
    properties: {},
    additionalProperties: false,
  })
})

test('every error example matches the schema of its response, without additional properties', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(DOCUMENT, 'document')
  const { examples, responses } = DOCUMENT.components
  let count = 0
  for (const [name, { content = {} }] of Object.entries(responses)) {
    const { schema, examples: shown = {} } = content['application/json'] ?? {}
    // Linters treat every object schema as closed.
    const { error } = (schema as { properties: { error: object } }).properties
    const inner = JSON.parse(JSON.stringify(error).replaceAll('"#/', '"document#/'))
    const check = ajv.compile({
      type: 'object',
      required: ['error'],
      properties: { error: { ...inner, unevaluatedProperties: false } },
      unevaluatedProperties: false,
    })
    for (const example of Object.keys(shown)) {
      const body = examples[example]?.value as { error: object }
      assert.ok(check(body), `${name} ${example}: ${JSON.stringify(check.errors)}`)
      assert.not.ok(check({ error: { ...body.error, code: 'other' } }))
      count += 1
    }
  }
  assert.ok(count >= Object.keys(responses).length)
})

test('every component of the OpenAPI document is used', () => {
  const text = JSON.stringify(DOCUMENT)
  for (const [kind, named] of Object.entries(DOCUMENT.components) as [string, OpenApiDocument['paths']][]) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(named)) {
      assert.ok(text.includes(`"$ref":"#/components/${kind}/${name}"`), `${kind} ${name}`)
    }
  }
})

test.run()
