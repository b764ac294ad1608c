import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { newFolder } from '../support/folders.ts'
import { sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli, spawnPaycli } from './paycli.ts'

/** Node would store its compile cache in the temporary folder otherwise. */
const NODE_COMPILE_CACHE = newFolder()

const test = suite('commands/demo')

/** Returns the address of the demo's server. */
function serviceIn(story: string): string {
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(story) ?? []
  return url
}

/** Asserts that no process and no file of a demo remains. */
async function checkGone(story: string, folder: string): Promise<void> {
  assert.match(await sendRequest(`${serviceIn(story)}/healthz`).then(String, String), 'ECONNREFUSED')
  assert.equal(readdirSync(folder), [])
}

test('runs the whole demo, stops its server and removes its files', async () => {
  const folder = newFolder()
  const { code, stdout, stderr } = await paycli(['demo'], { env: { TMPDIR: folder, NODE_COMPILE_CACHE } })
  assert.equal([code, stderr], [0, ''])
  const expected = [
    /^A server {10}http:\/\/127\.0\.0\.1:\d+, with a webhook handler at http:\/\/127\.0\.0\.1:\d+\/webhooks$/m,
    /^A customer {8}ada@example\.com is cus_\w{24}$/m,
    /^A checkout {8}Monthly rent, 1200\.00 EUR with tax$/m,
    /^A declined card {3}.*insufficient funds.* \(status 402\)$/m,
    /^A good card {7}subscription sub_\w{24}, invoice in_\w{24} paid$/m,
    /^A payment {9}10\.00 EUR, once$/m,
    /^3-D Secure {8}approved by the customer, payment py_\w{24} succeeded$/m,
    /^Webhooks {10}\d+ events received by the handler, all signatures valid:$/m,
    /✓ checkout_session\.completed$/m,
    /✓ payment_session\.completed$/m,
    /^The demo is complete\./m,
  ]
  for (const line of expected) assert.match(stdout, line)
  await checkGone(stdout, folder)
})

test('stops its server and removes its files after SIGTERM', async () => {
  const folder = newFolder()
  const child = spawnPaycli(['demo'], { TMPDIR: folder, NODE_COMPILE_CACHE })
  let story = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    story += text
  })
  while (!story.includes('\n')) await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  assert.is(code, 143)
  await checkGone(story, folder)
})

test.run()
