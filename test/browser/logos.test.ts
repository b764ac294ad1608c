import type { Page } from 'playwright-core'
import { decodeAndSanitizeLogo, decodeLogoUrl, encodeLogoUrl } from '../../src/domain/branding/logos/logo.ts'
import { sanitizeSvg } from '../../src/domain/branding/logos/svg.ts'
import { createLogoResponse } from '../../src/pages/forms/page-response.ts'
import { EVIL, HOSTILE_SVGS, svg } from '../domain/branding/logos/hostile-svgs.ts'
import { RED_PNG } from '../domain/branding/logos/png-images.ts'
import { useBrowserSession, withPage } from '../pages/browser-session.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('logos', undefined, 60_000)

const RED_SQUARE = svg('<rect width="10" height="10" fill="#f00"/>')

/** Runs in the page: resolves with the color in the middle of the logo. */
const READ_PIXEL = `(async () => {
  const image = document.querySelector('img.logo')
  await image.decode()
  const context = document.createElement('canvas').getContext('2d')
  context.drawImage(image, 0, 0, 8, 8)
  return [...context.getImageData(4, 4, 1, 1).data]
})()`

const browsing = useBrowserSession(test)

function dataUrl(image: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(image).toString('base64')}`
}

/** Returns an iframe and an `img` element that load the URL. */
function frameOf(url: string): string {
  return `<iframe src="${url}"></iframe><img src="${url}" alt="">`
}

/** Opens pages in a fresh profile, and returns the requests to the hostile host. */
async function recordRequests(work: (page: Page) => Promise<void>): Promise<string[]> {
  const context = await browsing.browser.newContext()
  const requests: string[] = []
  await context.route(
    ({ hostname }) => hostname === EVIL,
    (route) => {
      requests.push(route.request().url())
      return route.abort()
    },
  )
  try {
    await work(await context.newPage())
  } finally {
    await context.close()
  }
  return requests
}

test('the response headers of a logo prevent a hostile SVG from running scripts and sending requests', async () => {
  const images = HOSTILE_SVGS.filter(([name]) => !/billion|itself|deep/.test(name)).map(([, image]) => image)
  assert.ok(images.length >= 50)
  const frames = images.map((_, at) => frameOf(`/${at}`))
  const served = new Set<string>()
  const requests = await recordRequests(async (page) => {
    await page.route('http://pages.test/*', (route) => {
      const path = new URL(route.request().url()).pathname.slice(1)
      if (path === '') return route.fulfill({ contentType: 'text/html', body: frames.join('') })
      served.add(path)
      const { headers, body } = createLogoResponse(dataUrl(images[Number(path)] ?? ''))
      return route.fulfill({ headers, body: body ?? '' })
    })
    await page.goto('http://pages.test/')
    for (const path of ['0', '4', '18', '26']) await page.goto(`http://pages.test/${path}`)
  })
  assert.is(served.size, images.length)
  assert.equal(requests, [])
})

test('a hostile SVG without the response headers of a logo sends a request', async () => {
  const requests = await recordRequests(async (page) => {
    const failed = page.waitForEvent('requestfailed')
    await page.setContent(frameOf(dataUrl(svg(`<script>fetch('https://${EVIL}')</script>`))))
    await failed
  })
  assert.is(requests.length, 1)
})

test('a sanitized SVG sends no request, even without the response headers of a logo', async () => {
  const requests = await recordRequests(async (page) => {
    const kept = HOSTILE_SVGS.filter(([, , error]) => error === null)
    const frames = kept.map(([, image]) => frameOf(dataUrl(sanitizeSvg(image))))
    await page.setContent(frames.join(''))
  })
  assert.equal(requests, [])
})

test('shows SVG and PNG logos in their color', async () => {
  for (const logo of [
    encodeLogoUrl(decodeAndSanitizeLogo(dataUrl(RED_SQUARE))),
    encodeLogoUrl({ type: 'png', bytes: RED_PNG }),
    encodeLogoUrl(
      decodeAndSanitizeLogo(
        dataUrl(svg('<style>.a{fill:red}</style><rect class="a" width="10" height="10"/>')),
      ),
    ),
  ]) {
    assert.ok(decodeLogoUrl(logo).bytes.length > 0)
    browsing.hosted.pages.brand = { name: 'Northwind', logo }
    await withPage(browsing.browser, { viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(`${browsing.hosted.runtime.checkoutUrl}/none`)
      const pixel = await page.evaluate(READ_PIXEL)
      assert.equal(pixel, [255, 0, 0, 255])
      const { height = 0 } = (await page.locator('img.logo').boundingBox()) ?? {}
      assert.is(height, 32)
    })
  }
})

test.run()
