import { encodeLogoUrl } from '../../../src/domain/branding/logos/logo.ts'
import { getLogoFileName, LOGO_FILE_PATTERN } from '../../../src/pages/brand/logo-file.ts'
import { handlePageRequest } from '../../../src/pages/routes.ts'
import { svg } from '../../domain/branding/logos/hostile-svgs.ts'
import { RED_PNG } from '../../domain/branding/logos/png-images.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf } from '../hosted-pages.ts'

const test = suite('logo-file')

const SQUARE = encodeLogoUrl({ type: 'svg', bytes: Buffer.from(svg('<rect width="10" height="10"/>')) })
const RED = encodeLogoUrl({ type: 'png', bytes: RED_PNG })

/** Returns the path of the logo in the header of a page, or null. */
function logoIn(body: string): string | null {
  return /<img class="logo" src="([^"]+)" alt="">/.exec(body)?.[1] ?? null
}

test('derives the file name of a logo from its contents', () => {
  assert.is(getLogoFileName(SQUARE), getLogoFileName(SQUARE))
  assert.is.not(getLogoFileName(SQUARE), getLogoFileName(RED))
  for (const [url, extension] of [
    [SQUARE, '.svg'],
    [RED, '.png'],
  ] as const) {
    assert.ok(getLogoFileName(url).endsWith(extension))
    assert.match(getLogoFileName(url), LOGO_FILE_PATTERN)
  }
})

test('serves the logo of the server below the checkout URL, at a path that depends only on its contents', async () => {
  for (const [logo, type] of [
    [SQUARE, 'image/svg+xml'],
    [RED, 'image/png'],
  ] as const) {
    const hosted = new HostedPages('https://pay.example/base')
    hosted.pages.brand = { name: null, logo }
    const { body, headers } = await hosted.get('/none')
    const path = logoIn(body)
    assert.is(path, `/base/brand/${getLogoFileName(logo)}`)
    assert.match(body, `<link rel="icon" href="${path}">`)
    assert.match(headers['Content-Security-Policy'] ?? '', "img-src 'self' data:;")
    const image = await handlePageRequest({ method: 'GET', path: path ?? '', form: null }, hosted.pages)
    assert.is(image.status, 200)
    assert.equal(image.headers, {
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Content-Type': type,
    })
    assert.is(image.body?.toString('base64'), logo.split(',')[1])
  }
})

test('serves the logo of a session below its path, and returns 404 for any other file', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = { name: null, logo: RED }
  const plain = pathOf(await hosted.payment())
  const branded = pathOf(await hosted.payment({ branding: { logo: SQUARE } }))
  assert.is(logoIn((await hosted.get(plain)).body), `/brand/${getLogoFileName(RED)}`)
  const path = logoIn((await hosted.get(branded)).body) ?? ''
  assert.is(path, `${branded}/logo/${getLogoFileName(SQUARE)}`)
  assert.is((await hosted.get(path)).headers['Content-Type'], 'image/svg+xml')
  for (const other of [
    `${plain}/logo/${getLogoFileName(SQUARE)}`,
    `${branded}/logo/${getLogoFileName(RED)}`,
    `/sessions/none/logo/${getLogoFileName(SQUARE)}`,
    `/brand/${getLogoFileName(SQUARE)}`,
    '/brand/x.svg',
  ]) {
    assert.is((await hosted.get(other)).status, 404, other)
  }
})

test.run()
