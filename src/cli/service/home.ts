import { getDataFolder } from '../../domain/text/data-folder.ts'
import { findSystemErrorCode, getErrorMessage } from '../errors/error-fields.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * Returns the folder for the user's files. If the home folder is read-only, as in some containers, creates and returns
 * a private folder in the system's temporary folder.
 */
export function getWritableHomeFolder(env: NodeJS.ProcessEnv): string {
  const { usual, temporary } = homesOf(env)
  if (temporary === null) return usual
  createFolder(temporary)
  assertPrivateFolder(temporary)
  return temporary
}

/**
 * Returns the path of a user's file or folder for reading, even if it does not exist. A file in the temporary folder
 * takes precedence over a file in a read-only home folder.
 */
export function resolvePathInHome(env: NodeJS.ProcessEnv, name: string): string {
  const { existsSync } = process.getBuiltinModule('node:fs')
  const [first = '', ...others] = listHomeFolders(env).map((folder) => `${folder}/${name}`)
  return existsSync(first) ? first : (others.find((path) => existsSync(path)) ?? first)
}

/** Returns the folders with the user's files in order of precedence, even if they do not exist. */
export function listHomeFolders(env: NodeJS.ProcessEnv): string[] {
  const { usual, temporary } = homesOf(env)
  if (temporary === null) return [usual]
  assertPrivateFolder(temporary)
  return [temporary, usual]
}

/** Returns a warning if the user's files are in the temporary folder, or null. */
export function findTemporaryHomeWarning(env: NodeJS.ProcessEnv): string | null {
  const { usual, temporary } = homesOf(env)
  if (temporary === null) return null
  return `${usual} is not writable, so files are stored in ${temporary}, which the system may delete. Set PAYCLI_HOME to a writable folder.`
}

/**
 * Returns the usual home folder, and the temporary folder that replaces it. `temporary` is null if the usual folder is
 * writable or the user chose it.
 */
function homesOf(env: NodeJS.ProcessEnv): { readonly usual: string; readonly temporary: string | null } {
  const { homedir, tmpdir } = process.getBuiltinModule('node:os')
  const usual = getDataFolder(env, homedir())
  // A folder that the user chose is never replaced, even if it is not writable.
  const isKept = env['PAYCLI_HOME'] || env['XDG_DATA_HOME'] || isWritable(usual)
  return { usual, temporary: isKept ? null : `${tmpdir()}/paycli-${process.getuid?.() ?? 'user'}` }
}

/** Returns whether a folder is writable. For a missing folder, its nearest existing parent counts. */
function isWritable(folder: string): boolean {
  const { accessSync, constants } = process.getBuiltinModule('node:fs')
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    const parent = process.getBuiltinModule('node:path').dirname(folder)
    return findSystemErrorCode(error) === 'ENOENT' && parent !== folder && isWritable(parent)
  }
}

function createFolder(folder: string): void {
  const { mkdirSync } = process.getBuiltinModule('node:fs')
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (findSystemErrorCode(error) === 'EEXIST') return
    throw unusableFolder(folder, `it cannot be created: ${getErrorMessage(error)}`)
  }
}

// Any user can create folders in the temporary folder. The files of paycli determine where API keys are sent.
function assertPrivateFolder(folder: string): void {
  const stats = statsOf(folder)
  if (stats === undefined) return
  const uid = process.getuid?.()
  const isPrivate = uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0)
  if (stats.isDirectory() && isPrivate) return
  throw unusableFolder(folder, 'it is not a private folder of this user')
}

function statsOf(folder: string) {
  try {
    return process.getBuiltinModule('node:fs').lstatSync(folder, { throwIfNoEntry: false })
  } catch (error) {
    throw unusableFolder(folder, getErrorMessage(error))
  }
}

function unusableFolder(folder: string, why: string): UsageError {
  return new UsageError('argument_invalid', `${folder} cannot be used: ${why}.`, {
    hint: 'Set PAYCLI_HOME to a writable folder.',
  })
}
