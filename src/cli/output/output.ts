import { sanitizeText } from '../../domain/sanitize.ts'

const WIDE = 160

/** One JSON document; what could harm a terminal is escaped, which leaves its meaning as it was. */
export function renderJson(value: object): string {
  return `${sanitizeText(JSON.stringify(value, null, 2))}\n`
}

/** The same on one line, for answers that follow each other. */
export function renderJsonLine(value: object): string {
  return `${sanitizeText(JSON.stringify(value))}\n`
}

/** Text for people that holds what we did not write. */
export function renderText(text: string): string {
  return sanitizeText(text)
}

/** Whether people read stdout. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** Writes data: the only thing that ever goes to stdout. */
export function printData(text: string): void {
  process.stdout.write(text)
}

/** Writes a remark for people to stderr; it may be styled, so what is foreign in it must be sanitized already. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`)
}

const warned = new Set<string>()

/** Tells people once what the service warns of beside its answers. */
export function printWarning(warning: string): void {
  if (!warned.has(warning)) printNote(`Warning: ${sanitizeText(warning)}`)
  warned.add(warning)
}

/** How many columns the terminal on stdout has; those of a wide page when there is none. */
export function terminalWidth(): number {
  return process.stdout.columns ?? WIDE
}
