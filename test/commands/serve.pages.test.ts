import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RED_PNG } from '../domain/branding/logos/png-images.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { startServing } from './serving.ts'

const test = suite('commands/serve.pages')

/** Returns a hosted page of a server with these flags and variables, and the image in its header. */
async function pageOf(flags: readonly string[], env: Readonly<Record<string, string>>) {
  const all = { PAYCLI_HOME: newFolder(), ...env }
  const serving = await startServing(['--memory', '--log-format', 'silent', ...flags], all)
  try {
    const url = serving.location.checkout_url
    const body = await (await fetch(`${url}/none`)).text()
    const [, path] = /<img class="logo" src="([^"]+)"/.exec(body) ?? []
    const image = path === undefined ? null : await fetch(`${url}${path}`)
    const bytes = (await image?.arrayBuffer()) ?? new ArrayBuffer(0)
    return { body, type: image?.headers.get('Content-Type'), image: Buffer.from(bytes) }
  } finally {
    serving.kill('SIGTERM')
    await serving.ended
  }
}

test('shows the business name and the color from flags on the hosted pages', async () => {
  const { body } = await pageOf(['--business-name', ' Rent & Sons ', '--brand-color', '#7a3b1d'], {})
  assert.match(body, '<bdi dir="auto">Rent &amp; Sons</bdi>')
  assert.match(body, '--fill:#7a3b1d;')
})

test('shows the business name and the logo from environment variables on the hosted pages', async () => {
  const logo = join(newFolder(), 'logo.png')
  writeFileSync(logo, RED_PNG)
  const { body, type, image } = await pageOf([], { PAYCLI_BUSINESS_NAME: 'Rent & Sons', PAYCLI_LOGO: logo })
  assert.match(body, '<bdi dir="auto">Rent &amp; Sons</bdi>')
  assert.is(type, 'image/png')
  assert.ok(image.equals(RED_PNG))
})

test.run()
