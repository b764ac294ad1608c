import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { readBuiltFile } from '../../src/pages/view/built-file.ts'
import { launchBrowser } from '../support/chromium.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/minified-styles', undefined, 60_000)

let browser: Browser

test.before(async () => {
  browser = await launchBrowser()
})

test.after(() => browser?.close())

function readSource(name: string): string {
  const text = readFileSync(join(ROOT, 'src', 'pages', 'browser', name), 'utf8')
  return text.replace(/@import "(.*)";/g, (_, imported: string) => readSource(imported))
}

/** Returns the rules as Chromium prints them, without the spaces and zeros that it keeps in custom properties. */
async function parseRules(css: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.setContent(`<style>${css}</style>`)
  const rules: string[] = await page.evaluate(
    '[...document.styleSheets[0].cssRules].map(({ cssText }) => cssText)',
  )
  await page.close()
  return rules.map((rule) => rule.replace(/\s/g, '').replace(/(?<![\d.])0(?=\.\d)/g, ''))
}

test('a minified style sheet has the rules of its source', async () => {
  for (const name of ['page.css', 'plain.css']) {
    const rules = await parseRules(readBuiltFile(name))
    assert.ok(rules.length > 1)
    assert.equal(rules, await parseRules(readSource(name)))
  }
})

test.run()
