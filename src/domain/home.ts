/**
 * The folder for what the service keeps on this machine: `PAYCLI_HOME`, else `paycli` in the data folder of the XDG
 * base directory specification, which asks that a relative `XDG_DATA_HOME` be ignored.
 */
export function homeFolder(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const own = env['PAYCLI_HOME']
  if (own !== undefined && own !== '') return own
  const data = env['XDG_DATA_HOME'] ?? ''
  return `${isAbsolute(data) ? data : `${userHome}/.local/share`}/paycli`
}

function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]/.test(path)
}
