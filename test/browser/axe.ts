import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** The minified source of axe. Chromium compiles it for each page, which takes longer than running all rules. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** Loads axe with a CDP command, because `page.evaluate` parses the script three times and takes twice as long. */
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: AXE })
  await session.detach()
}

/** Returns the violations of the given accessibility rules in the open page; `null` selects all rules. */
export async function findViolations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await loadAxe(page)
  const options = JSON.stringify(rules === null ? {} : { runOnly: rules })
  const found = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`)
  return (found as Violation[]).map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  )
}
