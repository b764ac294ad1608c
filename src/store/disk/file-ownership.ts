import type { Stats } from 'node:fs'
import { StartupError } from '../../domain/core/startup-error.ts'

type FileStatus = Pick<Stats, 'uid' | 'isSymbolicLink' | 'isFile' | 'isDirectory'>

/** Throws when a path is a symbolic link, not a regular file, or owned by a user other than `ownUser`. */
export function requireOwnFileStats(file: string, stats: FileStatus, ownUser: number | undefined): void {
  if (stats.isSymbolicLink()) throw createSymlinkError(file)
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'not a regular file'
    const instead = stats.isDirectory() ? `a file, such as ${file}/paycli.json` : 'a file'
    throw new StartupError('file_is_none', `${file} is ${what}, but a file is required. Name ${instead}.`)
  }
  requireOwnPath(file, stats, ownUser)
}

/** Throws when a path belongs to another user; skips the check without user ids, as on Windows. */
export function requireOwnPath(
  path: string,
  { uid }: Pick<FileStatus, 'uid'>,
  ownUser: number | undefined,
): void {
  if (ownUser === undefined || uid === ownUser) return
  throw new StartupError(
    'file_of_other_user',
    `${path} belongs to user ${uid}, and this process runs as user ${ownUser}. Run it as that user, choose another path, or change its owner with 'chown ${ownUser}'.`,
  )
}

/** Creates the error for a symbolic link where a file is required. */
export function createSymlinkError(file: string): StartupError {
  return new StartupError(
    'file_is_link',
    `${file} is a symbolic link, which paycli does not follow. Replace it with a regular file, or choose another path.`,
  )
}
