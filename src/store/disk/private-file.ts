import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StartupError } from '../../domain/core/startup-error.ts'
import { createSymlinkError, requireOwnFileStats, requireOwnPath } from './file-ownership.ts'

/** Read and write access for the owner only. */
export const PRIVATE_FILE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700

/** Creates the folder of a file and its missing parents with mode 0700; leaves existing folders unchanged. */
export async function createPrivateParentFolder(file: string): Promise<void> {
  const missing = await findMissingFolders(resolve(dirname(file)), file)
  // Do not use the `recursive` option of mkdir, which never returns if no folder can be created, as in /proc.
  for (const folder of missing) {
    await mkdir(folder, { mode: PRIVATE_FOLDER_MODE }).catch(async (error: unknown) => {
      if (!(await isFolder(folder)))
        throw unusableFolderError(file, `${folder} cannot be created (${codeOf(error)})`)
    })
  }
  // Files in a new folder survive a crash only if its directory entry is durable too.
  for (const folder of missing.toReversed()) await syncParentFolder(folder)
}

// Returns the folders to create, outermost first.
async function findMissingFolders(folder: string, file: string): Promise<string[]> {
  if (await isFolder(folder)) return []
  if ((await lstat(folder).catch(returnNullForMissingPath)) !== null) {
    // A concurrent call may have created the folder without making its directory entry durable yet.
    if (await isFolder(folder)) return [folder]
    throw unusableFolderError(file, `${folder} is not a folder`)
  }
  const outer = dirname(folder)
  return outer === folder ? [folder] : [...(await findMissingFolders(outer, file)), folder]
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(returnNullForMissingPath))?.isDirectory() === true
}

/** Returns null for an error that means that a path does not exist, and throws any other error. */
export function returnNullForMissingPath(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return null
  return returnNullForMissingFile(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function unusableFolderError(file: string, why: string): StartupError {
  return new StartupError(
    'folder_unusable',
    `Cannot create ${file}: ${why}. Choose a file in a folder that you can write to.`,
  )
}

/** Throws when the path exists but is a symbolic link, not a regular file, or owned by a user other than `ownUser`. */
export async function requireOwnFileIfExists(file: string, ownUser = process.getuid?.()): Promise<void> {
  const stats = await lstat(file).catch(returnNullForMissingFile)
  if (stats !== null) requireOwnFileStats(file, stats, ownUser)
}

/** Throws when the path exists but is not a folder of `ownUser`. */
export async function requireOwnFolderIfExists(folder: string, ownUser = process.getuid?.()): Promise<void> {
  const stats = await lstat(folder).catch(returnNullForMissingFile)
  if (stats === null) return
  if (!stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? 'a symbolic link, which paycli does not follow' : 'not a folder'
    throw new StartupError(
      'folder_is_none',
      `${folder} is ${what}. Remove it: the next start creates the folder.`,
    )
  }
  requireOwnPath(folder, stats, ownUser)
}

/** Returns the contents of a file as a string, or null when the file does not exist; throws like `requireOwnFileIfExists`. */
export async function readPrivateFile(file: string): Promise<string | null> {
  const handle = await openOwnFile(file, constants.O_RDONLY).catch(returnNullForMissingFile)
  if (handle === null) return null
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Replaces a file with `replaceFile`; throws like `requireOwnFileIfExists`. */
export async function writePrivateFile(file: string, text: string | Buffer, suffix: string): Promise<void> {
  await requireOwnFileIfExists(file)
  await replaceFile(file, text, suffix)
}

/** Opens a file for appending and sets its mode to 0600; throws like `requireOwnFileIfExists`. */
export async function openPrivateLogFile(file: string): Promise<FileHandle> {
  const handle = await openOwnFile(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
  await handle.chmod(PRIVATE_FILE_MODE).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  return handle
}

// Check the open file itself, so that the path cannot be swapped after the check. O_NONBLOCK avoids waiting for a pipe.
async function openOwnFile(file: string, flags: number): Promise<FileHandle> {
  const all = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, all, PRIVATE_FILE_MODE).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? createSymlinkError(file) : error
  })
  try {
    requireOwnFileStats(file, await handle.stat(), process.getuid?.())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Returns the path of a temporary file next to `file`; `suffix` must make its name unguessable. The name contains the
 * process id, so that a later process can delete the file after a crash.
 */
export function getTemporaryPath(file: string, suffix: string): string {
  return `${file}.${process.pid}-${suffix}.tmp`
}

/** Replaces a file atomically, with mode 0600; `suffix` must make the name of the temporary file unguessable. */
export async function replaceFile(file: string, text: string | Buffer, suffix: string): Promise<void> {
  const temporary = getTemporaryPath(file, suffix)
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: PRIVATE_FILE_MODE, flush: true })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncParentFolder(file)
}

/** Makes the directory entries of a file's folder durable. */
export async function syncParentFolder(file: string): Promise<void> {
  const handle = await open(dirname(file), constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns null for ENOENT, and throws any other error. */
export function returnNullForMissingFile(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** Writes all bytes at a position of a file; a single write call may write only a part of them. */
export async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}
