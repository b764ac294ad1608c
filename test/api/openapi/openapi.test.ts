import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generate } from 'openapi-typescript-codegen'
import type { OpenApiDocument } from '../../../src/api/openapi/openapi.ts'
import type { OpenApiResponse } from '../../../src/api/openapi/openapi-responses.ts'
import { ERROR_DEFINITIONS, type toApiErrorResponse } from '../../../src/api/schema/errors.ts'
import { EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { KEY, type ServedSandbox, serveSandbox } from '../../daemon/http/serve-sandbox.ts'
import { checkEvent, checkResponse, checkSchema } from '../../support/contract.ts'
import { compileStrictly, runNode } from '../../support/example-program.ts'
import { newFolder } from '../../support/folders.ts'
import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'

const PROGRAM = `
import { ApiError, CustomersService, OpenAPI } from './generated'

declare const process: any
declare const console: any
OpenAPI.BASE = process.env.API_BASE
OpenAPI.TOKEN = process.env.API_KEY
async function shop() {
  const requestBody = { email: 'ada@example.com', metadata: { plan: 'gold' } }
  const ada = await CustomersService.customersCreate({ requestBody })
  const { data } = await CustomersService.customersList({})
  const status = await CustomersService.customersRetrieve({ id: 'cus_none' }).catch((error: ApiError) => error.status)
  console.log(JSON.stringify({ metadata: ada.metadata, listed: data.map(({ id }) => id === ada.id), status }))
}
void shop()
`

const JSON_SCHEMA = ['content', 'application/json', 'schema']

const test = suite('api/openapi')

let served: ServedSandbox
let published: Record<string, unknown>

test.before(async () => {
  served = await serveSandbox()
  published = JSON.parse((await sendRequest(`${served.apiUrl}/openapi.json`)).text)
})

test.after(() => served?.close())

test('the OpenAPI document is valid OpenAPI 3.1, and the validator rejects an invalid document', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(published))
  assert.ok(valid, JSON.stringify(errors))
  const broken = { ...published, paths: { 'v1/customers': { get: { responses: 'none' } } } }
  assert.not.ok((await new Validator().validate(broken)).valid)
})

test('every event type has an example that matches its schema', () => {
  const { webhooks, components } = published as unknown as OpenApiDocument
  assert.equal(Object.keys(webhooks), [...EVENT_TYPES])
  for (const type of EVENT_TYPES) {
    const { examples = {} } = webhooks[type]?.['post']?.requestBody?.content['application/json'] ?? {}
    const [name = ''] = Object.keys(examples)
    const example = components.examples[name]?.value as Event | undefined
    if (example === undefined) throw new Error(`no example of ${type}`)
    assert.is(example.type, type)
    checkEvent(example)
  }
})

test('every response except streams has an example that matches its schema', () => {
  const { paths, components } = published as unknown as OpenApiDocument
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      for (const [status, response] of Object.entries(responses)) {
        const what = `${status} of ${method} ${path}`
        const shared = '$ref' in response ? response.$ref.split('/').slice(1) : null
        const found = shared === null ? response : components.responses[shared.at(-1) ?? '']
        const { content = {} } = found as OpenApiResponse
        if ('text/event-stream' in content) continue
        const names = Object.keys(content['application/json']?.examples ?? {})
        assert.ok(names.length > 0, what)
        const at = [...(shared ?? ['paths', path, method, 'responses', status]), ...JSON_SCHEMA]
        for (const name of names) checkSchema(at, components.examples[name]?.value, `${name}: ${what}`)
      }
    }
  }
})

test('every error example has the status of its response', () => {
  const { components } = published as unknown as OpenApiDocument
  for (const [response, { content = {} }] of Object.entries(components.responses)) {
    for (const [name, { $ref }] of Object.entries(content['application/json']?.examples ?? {})) {
      assert.is($ref, `#/components/examples/${name}`)
      const error = errorIn(components.examples[name]?.value)
      const [status] = ERROR_DEFINITIONS[error.code] ?? []
      const isOfPath = error.code === 'resource_missing' && error.param === 'id'
      assert.is(`error_${isOfPath ? 404 : status}`, response)
      assert.is(error.errors[0]?.code, error.code)
    }
  }
  assert.ok(errorIn(components.examples['several_errors']?.value).errors.length > 1)
})

type WireError = ReturnType<typeof toApiErrorResponse>['body']['error']

function errorIn(example: object | undefined): WireError {
  if (example === undefined || !('error' in example)) throw new Error('no example of this error')
  return example.error as WireError
}

test('checkResponse rejects a response that is not in the OpenAPI document', () => {
  const error = (code: string) =>
    JSON.stringify({
      error: {
        ...{
          type: 'invalid_request_error',
          code,
          message: 'No.',
          param: null,
          doc_url: 'http://127.0.0.1/x',
        },
        ...{ request_id: 'req_1', errors: [{ code, message: 'No.', param: null }], suggestion: null },
      },
    })
  const [created, path] = [{ method: 'POST', path: '/v1/customers' }, '/v1/cats']
  checkResponse({ ...created, status: 429, text: error('rate_limit') })
  checkResponse({ ...created, path, status: 404, text: error('route_not_found') })
  for (const seen of [
    { ...created, status: 429, text: error('email_invalid') },
    { ...created, status: 500, text: error('card_declined') },
    { ...created, status: 201, text: '{}' },
    { ...created, path, status: 200, text: '{}' },
    { ...created, path, status: 400, text: error('email_invalid') },
  ])
    assert.throws(() => checkResponse(seen), /published/, `${seen.status} ${seen.text}`)
})

test('a client generated from the OpenAPI document compiles and creates a customer', async () => {
  const folder = newFolder()
  const output = join(folder, 'generated')
  mkdirSync(output)
  await generate({ input: structuredClone(published), output, httpClient: 'fetch', useOptions: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
  writeFileSync(join(folder, 'shop.ts'), PROGRAM)
  const options = { module: 'commonjs', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] }
  const compiled = await compileStrictly(folder, options)
  assert.is(compiled.code, 0, compiled.output)
  const env = { API_BASE: served.apiUrl, API_KEY: KEY }
  const ran = await runNode([join('out', 'shop.js')], folder, env)
  assert.is(ran.code, 0, ran.output)
  assert.equal(JSON.parse(ran.output), { metadata: { plan: 'gold' }, listed: [true], status: 404 })
})

test.run()
