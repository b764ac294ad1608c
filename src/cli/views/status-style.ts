import type { Style } from '../output/style.ts'

type Color = 'green' | 'yellow' | 'red' | 'dim'

const WORDS: Readonly<Record<Color, string>> = {
  green: 'succeeded complete paid active trialing enabled delivered ready ok',
  yellow: 'open pending processing requires_action past_due draft advancing deleting skipped unpaid paused',
  red: 'failed uncollectible disabled revoked internal_failure away',
  dim: 'expired canceled void deleted no_payment_required',
}

const COLORS: ReadonlyMap<string, Color> = new Map(
  (Object.keys(WORDS) as Color[]).flatMap((color) =>
    WORDS[color].split(' ').map((word) => [word, color] as const),
  ),
)

/** Returns the style of a status, which is a word such as `paid` or the status of an HTTP response. */
export function statusStyle(status: string | number, style: Style): (text: string) => string {
  const color = typeof status === 'number' ? colorOfHttpStatus(status) : COLORS.get(status)
  return color === undefined ? (text) => text : style[color]
}

function colorOfHttpStatus(status: number): Color {
  if (status >= 500) return 'red'
  return status >= 400 || status < 200 ? 'yellow' : 'green'
}
