import { COMMAND_GROUPS } from './command-groups.ts'

/** Command names that are in no group: aliases, and the placeholder COMMAND. */
const OTHER_NAMES = ['autocomplete', 'rm', 'help', 'COMMAND']

/** Returns the words that run paycli from the current shell: `paycli` if it is on the PATH, else `npx paycli`. */
export function getProgramInvocation(env: NodeJS.ProcessEnv = process.env): string {
  const { existsSync } = process.getBuiltinModule('node:fs')
  const { delimiter } = process.getBuiltinModule('node:path')
  // npm adds folders of packages to the PATH of its scripts only, not to the PATH of the shell.
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
  const isInstalled = folders.some((folder) => existsSync(`${folder}/paycli`))
  return isInstalled ? 'paycli' : 'npx paycli'
}

/** Replaces `paycli` with `getProgramInvocation()` in each command in `text`, so that the user can copy the command. */
export function replaceProgramName(text: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!text.includes('paycli ')) return text
  const names = [...COMMAND_GROUPS.flatMap(([, group]) => group), ...OTHER_NAMES].join('|')
  // The pattern skips other uses of the name, such as `the paycli project`.
  const command = new RegExp(`(?<![\\w/.@-]|npx\\s+)paycli (?=(?:${names})(?![\\w-]))`, 'g')
  const name = getProgramInvocation(env)
  return text.replace(command, () => `${name} `)
}
