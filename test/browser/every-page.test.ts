import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page, Route } from 'playwright-core'
import type { PageAnswer } from '../../src/pages/routes.ts'
import { visit } from '../pages/browsing.ts'
import { Hosted } from '../pages/hosted.ts'
import { type CallWatch, pageRenderers, watchCalls } from '../pages/renderers.ts'
import { BUYER_SCENES, type PageScene, REFERENCE_SCENES } from '../pages/scenes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/every-page', undefined, 60_000)

const ORIGIN = 'http://pages.test'
const MAX_BYTES = 30 * 1024
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
let watch: CallWatch
const rendered = new Set<string>()

test.before(async () => {
  ;[browser, watch] = await Promise.all([launchBrowser(), watchCalls()])
})

test.after(async () => {
  await browser?.close()
  watch?.close()
})

/** Opens an answer as if its address had given it, and resolves with the bytes of all that it loads. */
async function open(page: Page, answer: PageAnswer): Promise<() => number> {
  let bytes = 0
  let isOpen = false
  const assets = new Hosted()
  const fulfil = async (route: Route, { status, headers, body }: PageAnswer) => {
    // What a page that waits asks for again and again is nothing that it is made of.
    if (route.request().resourceType() !== 'fetch') bytes += Buffer.byteLength(body)
    await route.fulfill({ status, headers: { ...headers }, body })
  }
  await page.route('**', async (route) => {
    const request = route.request()
    // Where a page leads by itself is another page: without an answer this one stays.
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

/** Keeps what is seen in the folder that SCREENSHOTS names, for a person to look at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

async function look([name, render]: PageScene, maxBytes: number): Promise<void> {
  const { result: answer, called } = await watch.during(render)
  for (const one of called) rendered.add(one)
  await visit(browser, {}, async (page) => {
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

for (const scene of BUYER_SCENES)
  test(`${scene[0]} is for everybody, and below 30 KB with all it loads`, () => look(scene, MAX_BYTES))

for (const scene of REFERENCE_SCENES)
  test(`${scene[0]} is for everybody`, () => look(scene, Number.POSITIVE_INFINITY))

test('every function that makes a page was looked at', () => {
  const all = pageRenderers()
  assert.ok(all.length > 20, all.join(' '))
  const missed = all.filter((name) => !rendered.has(name))
  assert.equal(missed, [], 'give each a scene in test/pages/scenes.ts')
})

test.run()
