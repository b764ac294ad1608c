import { quoteForShell } from '../../domain/text/shell-quote.ts'

/** Quotes words for a POSIX shell and joins them with spaces. */
export function toShellCommand(words: readonly string[]): string {
  return words.map(quoteForShell).join(' ')
}
