/**
 * Returns the data folder of the server: `PAYCLI_HOME`, or `paycli` in the data folder of the XDG Base Directory
 * Specification. Ignores a relative `XDG_DATA_HOME`, as the specification requires.
 */
export function getDataFolder(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const own = env['PAYCLI_HOME']
  if (own !== undefined && own !== '') return own
  const data = env['XDG_DATA_HOME'] ?? ''
  return `${isAbsolute(data) ? data : `${userHome}/.local/share`}/paycli`
}

function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]/.test(path)
}
