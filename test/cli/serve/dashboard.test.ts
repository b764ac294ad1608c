import { createScenes, hasDashboard } from '../../../src/cli/serve/dashboard.ts'
import { openDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/serve/dashboard')

const HTTPS = 'https://staging.example'
const HTTP = 'http://staging.example:4100'

/** Columns: flag --dashboard, flag --api-url, whether the server is exposed, result. */
const CHOICES: readonly (readonly [boolean | undefined, string | undefined, boolean, boolean | 'error'])[] = [
  [undefined, undefined, false, true],
  [true, undefined, false, true],
  [false, undefined, false, false],
  [undefined, 'http://localhost:4100', false, true],
  [undefined, HTTPS, false, false],
  [undefined, undefined, true, false],
  [undefined, HTTPS, true, false],
  [undefined, HTTP, true, false],
  [false, HTTPS, true, false],
  [true, HTTPS, true, true],
  [true, HTTPS, false, true],
  [true, HTTP, true, 'error'],
  [true, HTTP, false, 'error'],
  [true, undefined, true, 'error'],
]

for (const [dashboard, apiUrl, isExposed, expected] of CHOICES) {
  const title = `results in ${expected} for --dashboard ${dashboard} and --api-url ${apiUrl} on a server that is ${isExposed ? 'exposed' : 'local'}`
  test(title, () => {
    const decide = () => hasDashboard({ dashboard, 'api-url': apiUrl }, isExposed)
    if (expected !== 'error') {
      assert.is(decide(), expected)
      return
    }
    const { message, hint } = usageErrorFrom(decide)
    assert.match(message, 'plain HTTP')
    assert.match(hint ?? '', 'HTTPS')
  })
}

test('run() returns the objects of a scene, or the error of a failed scene with its hint', async () => {
  const daemon = await openDaemon()
  try {
    const scenes = createScenes(daemon.location)
    const types = (await scenes.list()).map(({ type }) => type)
    assert.ok(types.includes('invoice.paid'))
    const created = await scenes.run('customer.created', 'default')
    assert.is(Reflect.get(created, 'type'), 'customer.created')
    for (const [type, sandbox] of [
      ['customer.exploded', 'default'],
      ['customer.created', 'sbx_000000000000000000000000'],
    ] as const) {
      const failure = await scenes.run(type, sandbox)
      assert.is(Reflect.get(failure, 'object'), 'scene_failure')
      assert.ok(String(Reflect.get(failure, 'message')).length > 10)
    }
  } finally {
    await daemon.stop()
  }
})

test.run()
