import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { api } from '../../src/api/index.ts'
import * as published from '../../src/client/index.ts'
import { KEY, type Served, serveSandbox } from '../daemon/served.ts'
import { compileStrictly, runNode } from '../support/consumer.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { untar } from '../support/untar.ts'

const SHOP = `
import { ApiError, type Customer, createClient, customers, testClocks } from 'paycli'

const client = createClient({ apiBase: process.env.API_BASE ?? '', apiKey: process.env.API_KEY })
const clock = await client.call(testClocks.create, { frozen_time: 1_800_000_000 })
const ada: Customer = await client.call(customers.create, { email: 'ada@example.com', test_clock: clock.id })
const { data } = await client.call(customers.list, { limit: 10 })
let refused = ''
try {
  await client.call(customers.create, { email: 'nobody' })
} catch (error) {
  if (error instanceof ApiError) refused = \`\${error.error.code} \${error.error.param}\`
}
console.log(JSON.stringify({ email: ada.email, listed: data.map(({ id }) => id === ada.id), refused }))
`

const MISSPELT = `
import { createClient, customers } from 'paycli'

const client = createClient({ apiBase: 'http://127.0.0.1:1' })
await client.call(customers.create, { emial: 'ada@example.com' })
`

const test = suite('client/index')

let served: Served
let folder: string

test.before(async () => {
  served = await serveSandbox()
  folder = newFolder()
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  installPacked(folder)
})

test.after(() => served?.close())

/** Unpacks what would be published, beside the libraries it asks for and no others. */
function installPacked(into: string): void {
  // Its scripts would build again, over the files that other tests are running.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', into], { cwd: ROOT })
  const [tarball = ''] = readdirSync(into).filter((name) => name.endsWith('.tgz'))
  untar(gunzipSync(readFileSync(join(into, tarball))), into)
  renameSync(join(into, 'package'), join(into, 'node_modules', 'paycli'))
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const [scope] = name.split('/')
    if (scope !== name) mkdirSync(join(into, 'node_modules', String(scope)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(into, 'node_modules', name))
  }
}

test('a program that imports the packed client compiles, and finds its own customer at any address', async () => {
  const shop = join(folder, 'shop')
  mkdirSync(shop)
  writeFileSync(join(shop, 'shop.ts'), `declare const process: any; declare const console: any;${SHOP}`)
  const compiled = await compileStrictly(shop, { module: 'nodenext' })
  assert.is(compiled.code, 0, compiled.output)
  const env = { API_BASE: served.apiUrl, API_KEY: KEY }
  const { code, output } = await runNode([join('out', 'shop.js')], shop, env)
  assert.is(code, 0, output)
  const wanted = { email: 'ada@example.com', listed: [true], refused: 'email_invalid email' }
  assert.equal(JSON.parse(output), wanted)
})

test('every resource of the API is exported by its name', () => {
  assert.equal({ ...api, ...published }, { ...published })
})

test('a misspelt parameter does not compile', async () => {
  const misspelt = join(folder, 'misspelt')
  mkdirSync(misspelt)
  writeFileSync(join(misspelt, 'shop.ts'), MISSPELT)
  const { code, output } = await compileStrictly(misspelt, { module: 'nodenext' })
  assert.is.not(code, 0)
  assert.match(output, /shop\.ts\(5,.*'emial'/)
})

test.run()
