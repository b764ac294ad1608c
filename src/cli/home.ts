import { homeFolder } from '../domain/home.ts'
import { UsageError } from './usage-error.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The folder in which this user's paycli keeps its files. Where the user's home folder is read-only, such as in some
 * containers, it is a private folder in the temporary one.
 */
export function userHome(env: Env): string {
  return temporaryHome(env) ?? homeFolder(env, homedir())
}

/** Returns a warning for people when files are kept in the temporary folder, else null. */
export function homeWarning(env: Env): string | null {
  const temporary = temporaryHome(env)
  if (temporary === null) return null
  const usual = homeFolder(env, homedir())
  return `${usual} cannot be written to, so files are kept in ${temporary}, which the system may delete. Set PAYCLI_HOME to a folder of yours.`
}

function homedir(): string {
  return process.getBuiltinModule('node:os').homedir()
}

function temporaryHome(env: Env): string | null {
  // A folder that somebody chose is right or an error.
  if (env['PAYCLI_HOME'] || env['XDG_DATA_HOME'] || isWritable(homeFolder(env, homedir()))) return null
  const uid = process.getuid?.()
  const folder = `${process.getBuiltinModule('node:os').tmpdir()}/paycli-${uid ?? 'user'}`
  refuseForeign(folder, uid)
  return folder
}

/** Whether a folder, or the nearest one above it that exists, can be written to. */
function isWritable(folder: string): boolean {
  const { accessSync, constants } = process.getBuiltinModule('node:fs')
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    const parent = process.getBuiltinModule('node:path').dirname(folder)
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isAbsent && parent !== folder && isWritable(parent)
  }
}

// Everybody can make folders in the temporary one, and this one tells commands where to send an API key.
function refuseForeign(folder: string, uid: number | undefined): void {
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs')
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 })
  const stats = lstatSync(folder)
  const isPrivate = uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0)
  if (stats.isDirectory() && isPrivate) return
  throw new UsageError(
    'argument_invalid',
    `${folder} cannot be used: it is not a private folder of this user.`,
    { hint: 'Set PAYCLI_HOME to a folder of yours.' },
  )
}
