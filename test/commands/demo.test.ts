import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { ask } from '../support/wire.ts'
import { paycli } from './paycli.ts'

/** Compiled code, which Node would keep in the temporary folder otherwise. */
const NODE_COMPILE_CACHE = newFolder()

const test = suite('commands/demo')

/** Where the service of a demo answered. */
function serviceIn(story: string): string {
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(story) ?? []
  return url
}

/** A demo leaves no process behind that answers, and no file. */
async function checkGone(story: string, folder: string): Promise<void> {
  assert.match(await ask(`${serviceIn(story)}/healthz`).then(String, String), 'ECONNREFUSED')
  assert.equal(readdirSync(folder), [])
}

test('the story is told whole, and nothing is left of it', async () => {
  const folder = newFolder()
  const { code, stdout, stderr } = await paycli(['demo'], { env: { TMPDIR: folder, NODE_COMPILE_CACHE } })
  assert.equal([code, stderr], [0, ''])
  const said = [
    /^A service {9}http:\/\/127\.0\.0\.1:\d+, our handler at http:\/\/127\.0\.0\.1:\d+\/webhooks$/m,
    /^A customer {8}ada@example\.com is cus_\w{24}$/m,
    /^A checkout {8}Monthly rent, 1200\.00 EUR with tax$/m,
    /^A declined card {3}.*insufficient funds.* \(status 402\)$/m,
    /^A good card {7}subscription sub_\w{24}, invoice in_\w{24} paid$/m,
    /^A payment {9}10\.00 EUR, once$/m,
    /^3-D Secure {8}approved by the buyer: payment py_\w{24} succeeded$/m,
    /^Webhooks {10}\d+ events reached our own handler, every signature verified:$/m,
    /✓ checkout_session\.completed$/m,
    /✓ payment_session\.completed$/m,
    /^That was all of it\./m,
  ]
  for (const line of said) assert.match(stdout, line)
  await checkGone(stdout, folder)
})

test('a demo that is ended early cleans up too', async () => {
  const folder = newFolder()
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), 'demo'], {
    env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
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
