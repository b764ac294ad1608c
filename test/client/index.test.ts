import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { api } from '../../src/api/api.ts'
import * as published from '../../src/client/index.ts'
import { KEY, type ServedSandbox, serveSandbox } from '../daemon/http/serve-sandbox.ts'
import { compileStrictly, runNode } from '../support/example-program.ts'
import { newFolder } from '../support/folders.ts'
import { packPackage } from '../support/packed-package.ts'
import { assert, suite } from '../support/suite.ts'
import { untar } from '../support/untar.ts'

const PROGRAM = `
import { ApiError, type Customer, createClient, customers, testClocks } from 'paycli'

const client = createClient({ apiBase: process.env.API_BASE ?? '', apiKey: process.env.API_KEY })
const clock = await client.call(testClocks.create, { frozen_time: 1_800_000_000 })
const ada: Customer = await client.call(customers.create, { email: 'ada@example.com', test_clock: clock.id })
const { data } = await client.call(customers.list, { limit: 10 })
let errorText = ''
try {
  await client.call(customers.create, { email: 'nobody' })
} catch (error) {
  if (error instanceof ApiError) errorText = \`\${error.error.code} \${error.error.param}\`
}
console.log(JSON.stringify({ email: ada.email, listed: data.map(({ id }) => id === ada.id), error: errorText }))
`

const MISSPELLED = `
import { createClient, customers } from 'paycli'

const client = createClient({ apiBase: 'http://127.0.0.1:1' })
await client.call(customers.create, { emial: 'ada@example.com' })
`

const test = suite('client/index')

let served: ServedSandbox
let folder: string

test.before(async () => {
  served = await serveSandbox()
  folder = newFolder()
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  installPackage(folder)
})

test.after(() => served?.close())

/** Installs the packed package, which has no dependencies. */
function installPackage(into: string): void {
  untar(gunzipSync(readFileSync(packPackage(into))), into)
  renameSync(join(into, 'package'), join(into, 'node_modules', 'paycli'))
}

test('a program that imports the packed client compiles and creates a customer', async () => {
  const shop = join(folder, 'shop')
  mkdirSync(shop)
  writeFileSync(join(shop, 'shop.ts'), `declare const process: any; declare const console: any;${PROGRAM}`)
  const compiled = await compileStrictly(shop, { module: 'nodenext' })
  assert.is(compiled.code, 0, compiled.output)
  const env = { API_BASE: served.apiUrl, API_KEY: KEY }
  const { code, output } = await runNode([join('out', 'shop.js')], shop, env)
  assert.is(code, 0, output)
  const wanted = { email: 'ada@example.com', listed: [true], error: 'email_invalid email' }
  assert.equal(JSON.parse(output), wanted)
})

test('the client exports every resource of the API by its name', () => {
  assert.equal({ ...api, ...published }, { ...published })
})

test('a program with a misspelled parameter does not compile', async () => {
  const misspelled = join(folder, 'misspelled')
  mkdirSync(misspelled)
  writeFileSync(join(misspelled, 'shop.ts'), MISSPELLED)
  const { code, output } = await compileStrictly(misspelled, { module: 'nodenext' })
  assert.is.not(code, 0)
  assert.match(output, /shop\.ts\(5,.*'emial'/)
})

test.run()
