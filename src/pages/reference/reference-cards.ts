import { type Issuer, SLOW_SECONDS, TEST_CARDS } from '../../domain/test-cards.ts'
import { type Html, html } from '../markup/html.ts'

/** The test cards, with what their issuers say to the buyer and to renewals. */
export function testCardTable(): Html {
  const rows = TEST_CARDS.map(
    ({ number, alias, onSession, offSession }) =>
      html`<tr><td><code>${number}</code></td><td><code>${alias}</code></td><td>${said(onSession)}</td><td>${renewals(offSession)}</td></tr>
`,
  )
  return html`<div class="wide" tabindex="0"><table>
<thead><tr><th>Number</th><th><code>test_card</code></th><th>With the buyer</th><th>Renewals</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

// The last answer stays for every attempt that follows.
function renewals(answers: readonly Issuer[]): Html {
  const parts = answers.map((issuer, index) => html`${index === 0 ? '' : ', then '}${said(issuer)}`)
  return html`${parts}`
}

function said(issuer: Issuer): Html {
  switch (issuer.kind) {
    case 'approve':
      return html`approved`
    case 'decline':
      return html`<code>${issuer.decline_code ?? issuer.code}</code>`
    case 'challenge':
      return html`3-D Secure, then ${said(issuer.next)}`
    case 'slow':
      return html`approved after ${SLOW_SECONDS} s`
    case 'alternate':
      return html`approved and declined in turn`
  }
}
