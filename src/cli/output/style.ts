const FORMATS = ['dim', 'bold', 'red', 'green', 'yellow'] as const

/** Functions that style text for a terminal, or return it unchanged. */
export type Style = Readonly<Record<(typeof FORMATS)[number], (text: string) => string>>

/** Creates a style with or without colors. */
export function createStyle(isColored: boolean): Style {
  // getBuiltinModule() is faster than an import of node:util.
  const { styleText } = process.getBuiltinModule('node:util')
  const entries = FORMATS.map((format) => [
    format,
    (text: string) => (isColored ? styleText(format, text, { validateStream: false }) : text),
  ])
  return Object.fromEntries(entries)
}

/** Returns whether to use colors, as decided by `--color`, FORCE_COLOR, NO_COLOR and the terminal, in this order. */
export function isColorEnabled(flag: unknown, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (typeof flag === 'boolean') return flag
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  const isDisabled = (env['NO_COLOR'] ?? '') !== ''
  return isTerminal && !isDisabled && env['TERM'] !== 'dumb'
}
