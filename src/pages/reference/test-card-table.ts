import { type IssuerBehavior, SLOW_CARD_SECONDS, TEST_CARDS } from '../../domain/test-cards.ts'
import { type Html, html } from '../markup/html.ts'

/** Renders the test cards with the result of charges with the customer present and of renewals. */
export function renderTestCardTable(): Html {
  const rows = TEST_CARDS.map(
    ({ number, alias, onSession, offSession }) =>
      html`<tr><td><code>${number}</code></td><td><code>${alias}</code></td><td>${describeIssuer(onSession)}</td><td>${describeRenewals(offSession)}</td></tr>
`,
  )
  return html`<div class="wide" tabindex="0"><table>
<thead><tr><th>Number</th><th><code>test_card</code></th><th>Customer present</th><th>Renewals</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

// The last result applies to every further attempt.
function describeRenewals(behaviors: readonly IssuerBehavior[]): Html {
  const parts = behaviors.map(
    (behavior, index) => html`${index === 0 ? '' : ', then '}${describeIssuer(behavior)}`,
  )
  return html`${parts}`
}

function describeIssuer(issuer: IssuerBehavior): Html {
  switch (issuer.kind) {
    case 'approve':
      return html`approved`
    case 'decline':
      return html`<code>${issuer.decline_code ?? issuer.code}</code>`
    case 'challenge':
      return html`3-D Secure, then ${describeIssuer(issuer.next)}`
    case 'slow':
      return html`approved after ${SLOW_CARD_SECONDS} s`
    case 'alternate':
      return html`approved and declined in turn`
  }
}
