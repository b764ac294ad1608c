import { findCardByAlias } from '../domain/test-cards.ts'
import { type Html, html } from './html.ts'

const SHOWN: readonly (readonly [outcome: string, alias: string])[] = [
  ['Succeeds', 'visa'],
  ['Declined', 'declined'],
  ['Insufficient funds', 'insufficient_funds'],
  ['3-D Secure', 'sca_required'],
]

/** The test cards a developer tries most, with what they do. */
export function testCards(): Html {
  const rows = SHOWN.map(
    ([
      outcome,
      alias,
    ]) => html`<dt>${outcome}</dt><dd><code>${inFours(findCardByAlias(alias)?.number)}</code></dd>
`,
  )
  return html`<aside class="tests" aria-label="Test cards"><p>Test mode takes test cards only, with any future expiry and any security code.</p>
<dl>${rows}</dl></aside>`
}

function inFours(number = ''): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ')
}
