type Format = 'dim' | 'bold' | 'red' | 'green' | 'yellow'

/** Functions that style text for a terminal, or return the text unchanged. */
export type Style = Readonly<Record<Format, (text: string) => string>>

/** Creates a style with or without colors. */
export function createStyle(isColored: boolean): Style {
  // getBuiltinModule() is faster than an import of node:util.
  const { styleText } = process.getBuiltinModule('node:util')
  const painter = (format: Format) => (text: string) =>
    isColored ? styleText(format, text, { validateStream: false }) : text
  return {
    ...{ dim: painter('dim'), bold: painter('bold') },
    ...{ red: painter('red'), green: painter('green'), yellow: painter('yellow') },
  }
}

/** Returns whether to use colors, as decided by `--color`, FORCE_COLOR, NO_COLOR and the terminal, in this order. */
export function isColorEnabled(flag: unknown, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (typeof flag === 'boolean') return flag
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  const isDisabled = (env['NO_COLOR'] ?? '') !== ''
  return isTerminal && !isDisabled && env['TERM'] !== 'dumb'
}
