import { join } from 'node:path'
import { UsageError } from '../../../../src/cli/errors/usage-error.ts'
import { createAppProcess } from '../../../../src/cli/explore/run/app-process.ts'
import { createProcessGroups } from '../../../../src/cli/processes/process-groups.ts'
import { isAcceptingConnections } from '../../../../src/client/port-probe.ts'
import { freePort } from '../../../support/ports.ts'
import { ROOT } from '../../../support/root.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/run/app-process')

const TINY_APP = join(ROOT, 'dist', 'test', 'cli', 'explore', 'tiny-app.js')

async function open(args: readonly string[]) {
  const port = await freePort()
  const groups = createProcessGroups(() => {})
  const url = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port), PAYCLI_API_KEY: '' }
  const recorder = { recordAppChange: () => {} }
  const app = createAppProcess({
    command: [process.execPath, ...args],
    env,
    url,
    groups,
    recorder,
    nowMs: Date.now,
  })
  return { app, url }
}

test('stop() waits for a running restart before the app is stopped', async () => {
  const { app, url } = await open([TINY_APP])
  await app.start()
  let isOver = false
  const restart = app.restart().finally(() => {
    isOver = true
  })
  await app.stop()
  assert.is(isOver, true)
  await restart
  assert.is(await isAcceptingConnections(url), false)
})

test('the error names the missing webhook secret when an app without --forward-to does not start', async () => {
  const { app } = await open(['-e', "throw new Error('no secret')"])
  const error = await app.start().catch((thrown: unknown) => thrown)
  assert.instance(error, UsageError)
  assert.match(Object(error).hint, /Without --forward-to, PAYCLI_WEBHOOK_SECRET is not set\. Its output:/)
})

test('keeps multi-byte characters of the output that arrive in several chunks', async () => {
  const script =
    "const bytes = Buffer.from('é'); process.stdout.write(bytes.subarray(0, 1), () => setTimeout(() => process.stdout.write(bytes.subarray(1)), 20))"
  const { app } = await open(['-e', script])
  await app.start().catch(() => {})
  assert.is(app.log(), 'é')
})

test.run()
