import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newFolder } from '../support/folders.ts'
import { postJson } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'
import { startServing } from './serving.ts'

const test = suite('commands/serve with a failing disk')

/** Makes every write of this process fail once a file exists. */
const FAILING_DISK = `
  import { existsSync } from 'node:fs'
  import { open } from 'node:fs/promises'
  const handle = await open(process.execPath)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  const { write } = prototype
  prototype.write = function (...given) {
    if (!existsSync(process.env.FAILS_WITH)) return write.apply(this, given)
    return Promise.reject(Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' }))
  }
`

test('serve --log-format silent with a failing disk prints the reason on stderr and exits with 1', async () => {
  const folder = newFolder()
  const [hook, trigger] = [join(folder, 'hook.mjs'), join(folder, 'broken')]
  writeFileSync(hook, FAILING_DISK)
  const serving = await startServing(['--log-format', 'silent', '--db', join(folder, 'shop.json')], {
    PAYCLI_HOME: newFolder(),
    NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`,
    FAILS_WITH: trigger,
  })
  const { api_url, api_key } = serving.location
  writeFileSync(trigger, '')
  assert.ok(existsSync(trigger))
  const answer = await postJson(`${api_url}/v1/customers`, api_key, { email: 'ada@example.com' })
  assert.is(answer.status, 503)
  assert.match(
    await serving.waitForStderr(/The disk failed/),
    'The disk failed: Error: EIO: i/o error, write',
  )
  assert.is(await serving.ended, 1)
})

test.run()
