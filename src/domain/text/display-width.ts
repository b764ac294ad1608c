import { eastAsianWidth } from 'get-east-asian-width'

/** Matches texts with one column per code unit. Other texts need the Unicode tables, which take milliseconds to load. */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff…]*$/
/** Matches a character with its own column, unlike combining marks and format characters. */
const VISIBLE = /[^\p{Mark}\p{Control}\p{Format}\p{Surrogate}]/u
/** Matches flags, keycaps and emoji variants, whose first character alone is narrow. */
const WIDE_SEQUENCE = /\ufe0f|\u20e3|\p{Regional_Indicator}{2}/u
const ELLIPSIS = '…'

/** Returns the number of terminal columns of a string without escape sequences. */
export function getDisplayWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  return characters(text).reduce((sum, character) => sum + characterWidth(character), 0)
}

/** Appends spaces up to a number of terminal columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - getDisplayWidth(text)))
}

/** Returns the text, truncated with an ellipsis if the text exceeds `width` columns. */
export function truncateWithEllipsis(text: string, width: number): string {
  if (getDisplayWidth(text) <= width) return text
  return width < 1 ? '' : `${sliceToWidth(text, width - 1)}${ELLIPSIS}`
}

/** Returns the longest prefix of a text that has at most `width` columns. */
export function sliceToWidth(text: string, width: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, width))
  let start = ''
  let used = 0
  for (const character of characters(text)) {
    used += characterWidth(character)
    if (used > width) break
    start += character
  }
  return start
}

// A visible character may consist of several code points, such as a letter with an accent, or a flag.
function characters(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

let segmenter: Intl.Segmenter | undefined

function characterWidth(character: string): number {
  if (WIDE_SEQUENCE.test(character)) return 2
  const [visible] = VISIBLE.exec(character) ?? []
  return visible === undefined ? 0 : eastAsianWidth(visible.codePointAt(0) ?? 0)
}
