import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RED_PNG } from '../domain/logos/png-images.ts'
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
      assert.match(body, '<bdi dir="auto">Rent &amp; Sons</bdi>')
    } finally {
      serving.kill('SIGTERM')
      await serving.ended
    }
  })
}

test('shows the logo and the color of the flags or the environment on the hosted pages', async () => {
  const logo = join(newFolder(), 'logo.png')
  writeFileSync(logo, RED_PNG)
  const env = { PAYCLI_HOME: newFolder(), PAYCLI_LOGO: logo }
  const serving = await startServing(['--memory', '--log-format', 'silent', '--brand-color', '#7a3b1d'], env)
  try {
    const url = serving.location.checkout_url
    const body = await (await fetch(`${url}/none`)).text()
    assert.match(body, '--fill:#7a3b1d;')
    const [, path = ''] = /<img class="logo" src="([^"]+)"/.exec(body) ?? []
    const image = await fetch(`${url}${path}`)
    assert.is(image.headers.get('Content-Type'), 'image/png')
    assert.ok(Buffer.from(await image.arrayBuffer()).equals(RED_PNG))
  } finally {
    serving.kill('SIGTERM')
    await serving.ended
  }
})

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
