import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const test = suite('commands/serve.pages')

for (const [how, args, env] of [
  ['--business-name', ['--business-name', ' Rent & Sons '], {}],
  ['PAYCLI_BUSINESS_NAME', [], { PAYCLI_BUSINESS_NAME: 'Rent & Sons' }],
] as const) {
  test(`shows the business name set by ${how} on the hosted pages`, async () => {
    const home = { PAYCLI_HOME: newFolder() }
    const serving = await startServing(['--memory', '--log-format', 'silent', ...args], { ...home, ...env })
    try {
      const body = await (await fetch(`${serving.location.checkout_url}/none`)).text()
      assert.match(body, 'Requested by <bdi dir="auto">Rent &amp; Sons</bdi>')
    } finally {
      serving.kill('SIGTERM')
      await serving.ended
    }
  })
}

test('rejects an empty or too long business name', async () => {
  for (const [given, why] of [
    ['', 'The business name is empty.'],
    ['x'.repeat(101), 'The business name has 101 characters, more than 100.'],
  ] as const) {
    const args = ['serve', '--port', '0', '--memory', '--business-name', given]
    const { code, stderr } = await paycli(args, { env: { PAYCLI_HOME: newFolder() } })
    assert.is(code, 2)
    assert.match(stderr, why)
    assert.match(stderr, 'Use one line of up to 100 characters')
  }
})

test.run()
