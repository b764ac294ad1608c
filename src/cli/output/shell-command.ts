import { quoteForShell } from '../../domain/text/shell-quote.ts'

/** Joins words to a part of a command line for a POSIX shell. */
export function toShellCommand(words: readonly string[]): string {
  return words.map(quoteForShell).join(' ')
}
