import type { IssuerBehavior, TestCard } from '../../src/domain/cards/test-cards.ts'

type Decision = IssuerBehavior | TestCard['offSession'][number]

function outcome(decision: Decision): string {
  switch (decision.kind) {
    case 'approve':
      return 'approved'
    case 'decline':
      return `declined: \`${decision.decline_code ?? decision.code}\``
    case 'challenge':
      return `3-D Secure, then ${outcome(decision.next)}`
    case 'slow':
      return `approved after ${decision.seconds} s`
    case 'alternate':
      return 'approved and declined in turn'
  }
}

function renewals({ offSession }: TestCard): string {
  const last = offSession[offSession.length - 1] ?? offSession[0]
  const before = offSession.length - 1
  if (before === 0) return outcome(last)
  return `${before === 1 ? 'first attempt' : `first ${before} attempts`} declined, then ${outcome(last)}`
}

/** Returns a card number in the groups printed on cards, as README and the guide show it. */
export function groupedNumber({ brand, number }: TestCard): string {
  const groups = brand === 'amex' ? /^(\d{4})(\d{6})/ : /(\d{4})(?=\d)/g
  return number.replace(groups, (_all, first, second) =>
    brand === 'amex' ? `${first} ${second} ` : `${first} `,
  )
}

/** Returns the row of test-cards.md for a card: number, alias, and the outcomes on the page and of renewals. */
export function cardRow(card: TestCard): string {
  return `| ${[groupedNumber(card), `\`${card.alias}\``, outcome(card.onSession), renewals(card)].join(' | ')} |`
}
