/** Paints text for a terminal, or leaves it as it is. */
export interface Style {
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
}

const plain = (text: string): string => text

function paint(code: number, end: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[${end}m`
}

/** Styles that colour, or none. */
export function createStyle(isColored: boolean): Style {
  if (!isColored) return { dim: plain, bold: plain, red: plain, green: plain }
  return { dim: paint(2, 22), bold: paint(1, 22), red: paint(31, 39), green: paint(32, 39) }
}

/** Whether to colour: what `--color` says, else FORCE_COLOR, else NO_COLOR, else what the stream can show. */
export function isColorWanted(
  flag: unknown,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (typeof flag === 'boolean') return flag
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  const isRefused = (env['NO_COLOR'] ?? '') !== ''
  return isTerminal && !isRefused && env['TERM'] !== 'dumb'
}
