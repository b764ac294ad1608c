import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Half as large as `axe.source`, which Chromium compiles again for each page. */
export const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** Returns the violations of accessibility rules in a page that has evaluated `AXE`; null for all rules. */
export async function findViolations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  const options = JSON.stringify(rules === null ? {} : { runOnly: rules })
  const found = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`)
  return (found as Violation[]).map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  )
}
