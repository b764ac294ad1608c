import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { replaceProgramName } from './program-name.ts'
import { wrapNote } from './text-layout.ts'

const DEFAULT_WIDTH = 160

/** Renders an indented JSON document. Terminal control characters are escaped, which does not change the value. */
export function renderJson(value: object): string {
  return `${escapeUnsafeCharacters(JSON.stringify(value, null, 2))}\n`
}

/** Renders JSON on one line, for streams. */
export function renderJsonLine(value: object): string {
  return `${escapeUnsafeCharacters(JSON.stringify(value))}\n`
}

/** Returns whether stdout is a terminal. */
export function isStdoutTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** Writes data to stdout. All other output goes to stderr. */
export function writeToStdout(text: string): void {
  process.stdout.write(text)
}

/** Writes text without styles to stdout. Terminal control characters are escaped. */
export function writeTextToStdout(text: string): void {
  writeToStdout(escapeUnsafeCharacters(text))
}

/**
 * Writes a note to stderr, wrapped at the width of the terminal, with commands that the user can copy. Terminal control
 * characters are escaped.
 */
export function printNote(text: string): void {
  printStyledNote(escapeUnsafeCharacters(text))
}

/** Writes a note as `printNote` does. The text may contain styles, so the caller must sanitize untrusted parts. */
export function printStyledNote(text: string): void {
  process.stderr.write(`${wrapNote(replaceProgramName(text), getStderrWidth())}\n`)
}

const printedWarnings = new Set<string>()

/** Prints a warning of the server, unless the same warning was printed before. */
export function printWarning(warning: string): void {
  if (!printedWarnings.has(warning)) printNote(`Warning: ${warning}`)
  printedWarnings.add(warning)
}

/** Returns the width of the terminal on stdout in columns (default: 160). */
export function getStdoutWidth(): number {
  // Pseudo-terminals without a size report 0 columns.
  return process.stdout.columns || DEFAULT_WIDTH
}

/** Returns the width of the terminal on stderr in columns; Infinity if stderr is not a terminal. */
export function getStderrWidth(): number {
  return process.stderr.columns || Infinity
}
