import { StartupProblem } from '../../domain/startup-problem.ts'

/** The part of a file's status that tells who put it there. */
export interface FileStatus {
  readonly uid: number
  isSymbolicLink(): boolean
  isFile(): boolean
  isDirectory(): boolean
}

/** Throws when a path holds a symbolic link, no regular file, or a file of a user other than `ownUser`. */
export function refusePlantedFile(file: string, stats: FileStatus, ownUser: number | undefined): void {
  if (stats.isSymbolicLink()) throw linkProblem(file)
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? `a folder` : 'no file'
    const instead = stats.isDirectory() ? `a file, such as ${file}/paycli.json` : 'a file'
    throw new StartupProblem('file_is_none', `${file} is ${what}, where a file has to be. Name ${instead}.`)
  }
  refuseOtherUser(file, stats, ownUser)
}

/** Throws when a path belongs to another user. Where users have no numbers, as on Windows, there is nothing to compare. */
export function refuseOtherUser(
  path: string,
  { uid }: Pick<FileStatus, 'uid'>,
  ownUser: number | undefined,
): void {
  if (ownUser === undefined || uid === ownUser) return
  throw new StartupProblem(
    'file_of_other_user',
    `${path} belongs to user ${uid}, and this process runs as user ${ownUser}. Run it as that user, choose another path, or make it yours with 'chown ${ownUser}'.`,
  )
}

/** The error for a symbolic link in place of a file. */
export function linkProblem(file: string): StartupProblem {
  return new StartupProblem(
    'file_is_link',
    `${file} is a symbolic link, which is not followed. Put a real file in its place, or choose another path.`,
  )
}
