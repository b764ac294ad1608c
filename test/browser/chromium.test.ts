import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { checkBrowser, launchBrowser } from '../support/chromium.ts'
import { findPostgres } from '../support/postgres-home.ts'
import { assert, suite } from '../support/suite.ts'

const PAGE = `<!doctype html><meta charset="utf-8"><title>Checkout</title>
<h1>Pay €12.34</h1><p>Ångström, façade, Łódź, Ελλάδα, Москва</p><p>日本語 العربية עברית हिन्दी</p>
<form><input name="card"><button>Pay</button></form><output></output>
<script>document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault()
  document.querySelector('output').textContent = 'paid with ' + event.target.card.value
})</script>`

const test = suite('chromium')
const folder = mkdtempSync(join(tmpdir(), 'paycli-chromium-test-'))
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE))
let browser: Browser | undefined
let url: string

test.before(async () => {
  browser = await launchBrowser()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

test.after(async () => {
  await browser?.close()
  server.close()
  rmSync(folder, { recursive: true })
})

async function openPage(): Promise<Page> {
  if (!browser) throw new Error('the browser did not start')
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

test('Chromium renders a page, runs its script and submits its form', async () => {
  const page = await openPage()
  assert.is(await page.title(), 'Checkout')
  assert.is(await page.textContent('h1'), 'Pay €12.34')
  await page.fill('input', '4242')
  await page.click('button')
  assert.is(await page.textContent('output'), 'paid with 4242')
  await page.close()
})

test('Chromium renders text with the fonts of the package', async () => {
  const page = await openPage()
  const path = join(folder, 'page.png')
  await page.screenshot({ path })
  const widths = await page.evaluate(`(() => {
    const width = (text) => { const span = document.createElement('span'); span.textContent = text
      document.body.append(span); return span.getBoundingClientRect().width }
    return { narrow: width('iiii'), wide: width('mmmm') }
  })()`)
  const { narrow, wide } = widths as { narrow: number; wide: number }
  assert.ok(wide > narrow && narrow > 0, `iiii is ${narrow} px wide, mmmm ${wide} px`)
  assert.ok(readFileSync(path).subarray(1, 4).equals(Buffer.from('PNG')))
  await page.close()
})

function errorOfCheck(executablePath: string): Promise<unknown> {
  return checkBrowser({ executablePath, env: process.env }).catch((error: unknown) => error)
}

test('finds no missing library for the Chromium of the tests', async () => {
  await checkBrowser()
})

test('reports missing shared libraries and how to install them', async () => {
  // A program without its shared libraries.
  const lonely = join(folder, 'initdb')
  copyFileSync((await findPostgres()).programs.initdb, lonely)
  const error = await errorOfCheck(lonely)
  assert.is((error as { code?: string }).code, 'MISSING_PREREQUISITE')
  assert.match(
    String(error),
    /Chromium lacks (?:\S+, )*libicuuc\.so\.60\b.*\. Install .*apt-get.* PAYCLI_CHROMIUM to its path\.$/,
  )
})

test('reports that a system without glibc cannot run Chromium', async () => {
  const unloadable = join(folder, 'unloadable')
  writeFileSync(unloadable, '#!/no/such/loader\n', { mode: 0o700 })
  assert.match(String(await errorOfCheck(unloadable)), /Chromium lacks the loader of glibc \(.*ENOENT\)/)
})

test.run()
