import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page, Route } from 'playwright-core'
import type { PageResponse } from '../../src/pages/routes.ts'
import { withPage } from '../pages/browser-session.ts'
import { HostedPages } from '../pages/hosted-pages.ts'
import { type CallRecorder, findPageRenderers, startCallRecorder } from '../pages/page-renderers.ts'
import { CUSTOMER_SCENES, type PageScene, REFERENCE_SCENES } from '../pages/scenes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/every-page', undefined, 60_000)

const ORIGIN = 'http://pages.test'
const MAX_BYTES = 30 * 1024
/** Pages whose content a script draws: test/browser/reference.test.ts opens them with their daemon. */
const SCRIPTED = ['renderReference']
const VIEWS = {
  phone: { size: { width: 360, height: 740 }, colorScheme: 'dark' },
  desktop: { size: { width: 1280, height: 800 }, colorScheme: 'light' },
} as const

interface Found {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

let browser: Browser
let watch: CallRecorder
const rendered = new Set<string>()

test.before(async () => {
  ;[browser, watch] = await Promise.all([launchBrowser(), startCallRecorder()])
})

test.after(async () => {
  await browser?.close()
  watch?.close()
})

/** Opens a rendered response as a page. Resolves with a function that returns the bytes it loaded. */
async function open(page: Page, answer: PageResponse): Promise<() => number> {
  let bytes = 0
  let isOpen = false
  const assets = new HostedPages()
  const fulfil = async (route: Route, { status, headers, body }: PageResponse) => {
    // The polling requests of a waiting page do not count towards its size.
    if (route.request().resourceType() !== 'fetch') bytes += Buffer.byteLength(body)
    await route.fulfill({ status, headers: { ...headers }, body })
  }
  await page.route('**', async (route) => {
    const request = route.request()
    // Leave automatic navigation unanswered, so that the page stays open.
    if (request.isNavigationRequest() && isOpen) return route.fulfill({ status: 204 })
    if (!request.isNavigationRequest())
      return fulfil(route, await assets.get(new URL(request.url()).pathname))
    isOpen = true
    return fulfil(route, answer)
  })
  await page.goto(`${ORIGIN}/page`)
  return () => bytes
}

async function check(page: Page): Promise<void> {
  assert.not.ok(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), 'scrolls sideways')
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
  const found = (await page.evaluate('axe.run(document).then(({ violations }) => violations)')) as Found[]
  const told = found.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  )
  assert.equal(told, [])
}

/** Saves a screenshot in the folder of the SCREENSHOTS variable, for manual review. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

async function look([name, render]: PageScene, maxBytes: number): Promise<void> {
  const { result: answer, called } = await watch.during(render)
  for (const one of called) rendered.add(one)
  await withPage(browser, {}, async (page) => {
    const loaded = await open(page, answer)
    await page.evaluate(axe.source)
    for (const [view, { size, colorScheme }] of Object.entries(VIEWS)) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await picture(page, `${name}-${view}`)
      await check(page)
    }
    assert.ok(loaded() <= maxBytes, `${loaded()} bytes`)
  })
}

for (const scene of CUSTOMER_SCENES)
  test(`the page ${scene[0]} has no accessibility violation and loads less than 30 KB`, () =>
    look(scene, MAX_BYTES))

for (const scene of REFERENCE_SCENES)
  test(`the page ${scene[0]} has no accessibility violation`, () => look(scene, Number.POSITIVE_INFINITY))

test('the tests render a page with every function that renders one', () => {
  const all = findPageRenderers()
  assert.ok(all.length > 20, all.join(' '))
  const missed = all.filter((name) => !rendered.has(name) && !SCRIPTED.includes(name))
  assert.equal(missed, [], 'add a scene for each in test/pages/scenes.ts')
})

test.run()
