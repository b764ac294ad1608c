/** Functions that style text for a terminal, or return it unchanged. */
export interface Style {
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
}

const unstyled = (text: string): string => text

function withCodes(code: number, end: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[${end}m`
}

/** Creates a style with or without colours. */
export function createStyle(isColored: boolean): Style {
  if (!isColored) return { dim: unstyled, bold: unstyled, red: unstyled, green: unstyled }
  return { dim: withCodes(2, 22), bold: withCodes(1, 22), red: withCodes(31, 39), green: withCodes(32, 39) }
}

/** Returns whether to use colours, as decided by `--color`, FORCE_COLOR, NO_COLOR and the terminal, in this order. */
export function isColorEnabled(flag: unknown, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (typeof flag === 'boolean') return flag
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  const isDisabled = (env['NO_COLOR'] ?? '') !== ''
  return isTerminal && !isDisabled && env['TERM'] !== 'dumb'
}
