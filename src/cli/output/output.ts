import { sanitizeText } from '../../domain/sanitize.ts'
import { nameProgram } from './program-name.ts'

const DEFAULT_WIDTH = 160

/** Renders an indented JSON document. Terminal control characters are escaped, which does not change the value. */
export function renderJson(value: object): string {
  return `${sanitizeText(JSON.stringify(value, null, 2))}\n`
}

/** Renders JSON on one line, for streams. */
export function renderJsonLine(value: object): string {
  return `${sanitizeText(JSON.stringify(value))}\n`
}

/** Removes terminal control characters from text that contains foreign data. For commands, which import no domain code. */
export function renderText(text: string): string {
  return sanitizeText(text)
}

/** Returns whether stdout is a terminal. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** Writes data to stdout. Nothing else is ever written there. */
export function printData(text: string): void {
  process.stdout.write(text)
}

/**
 * Writes a note to stderr, with commands as the user can run them. The text may be styled, so its foreign parts must already
 * be sanitized.
 */
export function printNote(text: string): void {
  process.stderr.write(`${nameProgram(text)}\n`)
}

const printedWarnings = new Set<string>()

/** Prints a warning of the server, each text only once. */
export function printWarning(warning: string): void {
  if (!printedWarnings.has(warning)) printNote(`Warning: ${sanitizeText(warning)}`)
  printedWarnings.add(warning)
}

/** Returns the columns of the terminal on stdout (default: 160). */
export function terminalWidth(): number {
  // Pseudo-terminals without a size report 0 columns.
  return process.stdout.columns || DEFAULT_WIDTH
}
