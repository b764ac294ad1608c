import { stripVTControlCharacters } from 'node:util'
import { getDisplayWidth, truncateWithEllipsis } from '../../domain/text/display-width.ts'
import { wrapWords } from '../../domain/text/wrap-words.ts'

/** Matches the words of a command line; a flag and its value count as one word. */
const SHELL_WORDS = /(?:--[\w-]+ (?!-))?(?:'[^']*'|[^' ])+/g
/** Minimum width of prose, in columns. Narrower prose would have one word per line. */
const MIN_HANGING_COLUMNS = 20
/** Matches the words of prose; a command or a text in backticks counts as one word, so that it can be copied. */
const PROSE_WORDS =
  /(?<=: |\b(?:run|use|such as) )(?:npx )?paycli .*?(?:[.,)]+(?= )|$)|[^ `]*`[^`]*`[^ ]*|[^ ]+/g
const COMMAND = /^ *(?:npx )?paycli /

/** Wraps a string at its spaces into lines of at most `width` columns. A longer word is cut. */
export function wrapText(text: string, width: number): string[] {
  const words = text.split(' ').map((word) => truncateWithEllipsis(word, width))
  return wrapWords(words, ' ', width)
}

/** Joins strings with commas into lines of at most `width` columns. A longer string is wrapped at its spaces. */
export function wrapCommaList(texts: readonly string[], width: number): string[] {
  const pieces = texts.flatMap((text, index) => {
    const item = index < texts.length - 1 ? `${text},` : text
    return getDisplayWidth(item) <= width ? [item] : wrapText(item, width)
  })
  return wrapWords(pieces, ' ', width)
}

/** Returns whether `wrapText` leaves every word of a string whole. */
export function canWrapWholeWords(text: string, width: number): boolean {
  return text.split(' ').every((word) => getDisplayWidth(word) <= width)
}

/**
 * Wraps prose at its spaces. A longer word, such as a path or a URL, gets its own line and is not cut. A longer command
 * continues after a backslash, so that it can be copied.
 */
export function wrapProse(text: string, width: number): string[] {
  if (getDisplayWidth(text) <= width) return [text]
  const lines = wrapWords(text.match(PROSE_WORDS) ?? [], ' ', width)
  return lines.flatMap((line) =>
    COMMAND.test(line) && getDisplayWidth(line) > width ? wrapCommand(line, width) : [line],
  )
}

/** Wraps prose after the label `start`. Further lines are indented by the width of the label. */
export function wrapHanging(start: string, text: string, width: number): string[] {
  const indent = ' '.repeat(getDisplayWidth(stripVTControlCharacters(start)))
  const lines = wrapProse(text, Math.max(MIN_HANGING_COLUMNS, width - indent.length))
  return lines.map((line, index) => (index === 0 ? start : indent) + line)
}

/** Wraps the lines of a note. Commands continue after a backslash, so that they can be copied. */
export function wrapNote(note: string, width: number): string {
  const lines = note.split('\n').flatMap((line) => {
    if (getDisplayWidth(line) <= width) return [line]
    if (COMMAND.test(line)) return wrapCommand(line, width)
    // Styled text and columns have their own layout.
    return line.includes('\x1b') || line.includes('  ') ? [line] : wrapProse(line, width)
  })
  return lines.join('\n')
}

function wrapCommand(line: string, width: number): string[] {
  const [, indent = '', command = ''] = /^( *)(.*)$/.exec(line) ?? []
  const words = command.match(SHELL_WORDS) ?? []
  const lines = wrapWords(words, ' ', width - indent.length - 4)
  return lines.map((text, index) => {
    const start = index === 0 ? indent : `${indent}  `
    return index < lines.length - 1 ? `${start}${text} \\` : start + text
  })
}
