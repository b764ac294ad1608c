import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generate } from 'openapi-typescript-codegen'
import { KEY, type Served, serveSandbox } from '../daemon/served.ts'
import { compileStrictly, runNode } from '../support/consumer.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { ask } from '../support/wire.ts'

const SHOP = `
import { ApiError, CustomersService, OpenAPI } from './generated'

declare const process: any
declare const console: any
OpenAPI.BASE = process.env.API_BASE
OpenAPI.TOKEN = process.env.API_KEY
async function shop() {
  const requestBody = { email: 'ada@example.com', metadata: { plan: 'gold' } }
  const ada = await CustomersService.customersCreate({ requestBody })
  const { data } = await CustomersService.customersList({})
  const refused = await CustomersService.customersRetrieve({ id: 'cus_none' }).catch((error: ApiError) => error.status)
  console.log(JSON.stringify({ metadata: ada.metadata, listed: data.map(({ id }) => id === ada.id), refused }))
}
void shop()
`

const test = suite('api/openapi')

let served: Served
let published: Record<string, unknown>

test.before(async () => {
  served = await serveSandbox()
  published = JSON.parse((await ask(`${served.apiUrl}/openapi.json`)).text)
})

test.after(() => served?.close())

test('the published document is valid OpenAPI 3.1, and the validator can say no', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(published))
  assert.ok(valid, JSON.stringify(errors))
  const broken = { ...published, paths: { 'v1/customers': { get: { responses: 'none' } } } }
  assert.not.ok((await new Validator().validate(broken)).valid)
})

test('a client that a public generator makes of the document compiles and creates a customer', async () => {
  const folder = newFolder()
  const output = join(folder, 'generated')
  mkdirSync(output)
  await generate({ input: structuredClone(published), output, httpClient: 'fetch', useOptions: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
  writeFileSync(join(folder, 'shop.ts'), SHOP)
  const options = { module: 'commonjs', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] }
  const compiled = await compileStrictly(folder, options)
  assert.is(compiled.code, 0, compiled.output)
  const env = { API_BASE: served.apiUrl, API_KEY: KEY }
  const ran = await runNode([join('out', 'shop.js')], folder, env)
  assert.is(ran.code, 0, ran.output)
  assert.equal(JSON.parse(ran.output), { metadata: { plan: 'gold' }, listed: [true], refused: 404 })
})

test.run()
