import { createHash } from 'node:crypto'
import { createBrandStyle } from '../../../src/pages/view/brand-style.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages } from '../hosted-pages.ts'

const test = suite('brand-style')

test('the Content-Security-Policy allows exactly the style of the brand color', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = { name: null, color: '#7a3b1d' }
  const { body, headers } = await hosted.get('/none')
  const hashes = [...body.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, css = '']) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  )
  assert.is(hashes.length, 2)
  assert.match(headers['Content-Security-Policy'] ?? '', `style-src ${hashes.join(' ')};`)
})

test('adds at most 300 bytes, and caches the newest 100 styles', () => {
  const style = createBrandStyle('#7a3b1d')
  assert.ok(style.element.toString().length <= 300, `${style.element.toString().length} bytes`)
  assert.is(createBrandStyle('#7a3b1d'), style)
  for (let color = 0; color < 100; color += 1) createBrandStyle(`#${String(color).padStart(6, '0')}`)
  assert.is.not(createBrandStyle('#7a3b1d'), style)
})

test.run()
