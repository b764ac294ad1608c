import { homeFolder } from '../../domain/home.ts'
import { UsageError } from '../errors/usage-error.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the folder to which this user's paycli writes. Where the user's home folder is read-only, as in some containers,
 * that is a private folder in the temporary one, which this makes.
 */
export function userHome(env: Env): string {
  const folder = temporaryHome(env)
  if (folder === null) return homeFolder(env, homedir())
  makeFolder(folder)
  refuseForeign(folder)
  return folder
}

/**
 * Returns the path of a file or folder of this user's paycli to read, which need not be there. Makes nothing. What was
 * written to the temporary folder counts before what a read-only home folder holds.
 */
export function pathToRead(env: Env, name: string): string {
  const { existsSync } = process.getBuiltinModule('node:fs')
  const [first = '', ...others] = homesToRead(env).map((folder) => `${folder}/${name}`)
  return existsSync(first) ? first : (others.find((path) => existsSync(path)) ?? first)
}

/** Returns the folders of this user's paycli, those that count first at the start; none need be there. */
export function homesToRead(env: Env): string[] {
  const usual = homeFolder(env, homedir())
  const temporary = temporaryHome(env)
  if (temporary === null) return [usual]
  refuseForeign(temporary)
  return [temporary, usual]
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
  return `${process.getBuiltinModule('node:os').tmpdir()}/paycli-${process.getuid?.() ?? 'user'}`
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

function makeFolder(folder: string): void {
  const { mkdirSync } = process.getBuiltinModule('node:fs')
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    throw unusable(`it cannot be made: ${error instanceof Error ? error.message : error}`, folder)
  }
}

// Everybody can make folders in the temporary one, and this one tells commands where to send an API key.
function refuseForeign(folder: string): void {
  const stats = statsOf(folder)
  if (stats === undefined) return
  const uid = process.getuid?.()
  const isPrivate = uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0)
  if (stats.isDirectory() && isPrivate) return
  throw unusable('it is not a private folder of this user', folder)
}

function statsOf(folder: string) {
  try {
    return process.getBuiltinModule('node:fs').lstatSync(folder, { throwIfNoEntry: false })
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error), folder)
  }
}

function unusable(why: string, folder: string): UsageError {
  return new UsageError('argument_invalid', `${folder} cannot be used: ${why}.`, {
    hint: 'Set PAYCLI_HOME to a folder of yours.',
  })
}
