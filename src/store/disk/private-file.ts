import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { linkProblem, refuseOtherUser, refusePlantedFile } from './planted-file.ts'

/** Only its owner may read or write a file. */
export const PRIVATE_FILE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700

/** Makes the folder of a file, readable by its owner only; leaves one that exists as it is. */
export async function makePrivateFolder(file: string): Promise<void> {
  const missing = await missingFolders(resolve(dirname(file)), file)
  // Node's own recursion never ends where nobody can make a folder, as in /proc.
  for (const folder of missing) {
    await mkdir(folder, { mode: PRIVATE_FOLDER_MODE }).catch(async (error: unknown) => {
      if (!(await isFolder(folder))) throw unusable(file, `${folder} cannot be made (${codeOf(error)})`)
    })
  }
  // Each new name must survive a crash, or nothing below it would.
  for (const folder of missing.toReversed()) await syncFolder(folder)
}

// Outermost first.
async function missingFolders(folder: string, file: string): Promise<string[]> {
  if (await isFolder(folder)) return []
  if ((await lstat(folder).catch(noneBelowFile)) !== null) throw unusable(file, `${folder} is no folder`)
  const outer = dirname(folder)
  return outer === folder ? [folder] : [...(await missingFolders(outer, file)), folder]
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(noneBelowFile))?.isDirectory() === true
}

// What is below a file is not there either.
function noneBelowFile(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return null
  return absent(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function unusable(file: string, why: string): StartupProblem {
  return new StartupProblem(
    'folder_unusable',
    `There can be no file ${file}: ${why}. Name one in a folder of yours.`,
  )
}

/**
 * Throws when there is no file but something else, or when somebody else may have put it there: a symbolic link, or a
 * file of a user other than `ownUser`.
 * Resolves with whether there is a file at all.
 */
export async function refusePlanted(file: string, ownUser = process.getuid?.()): Promise<boolean> {
  const stats = await lstat(file).catch(absent)
  if (stats !== null) refusePlantedFile(file, stats, ownUser)
  return stats !== null
}

/** Throws when what is there in place of a folder is none, a symbolic link, or of a user other than `ownUser`. */
export async function refusePlantedFolder(folder: string, ownUser = process.getuid?.()): Promise<void> {
  const stats = await lstat(folder).catch(absent)
  if (stats === null) return
  if (!stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? 'a symbolic link, which is not followed' : 'no folder'
    throw new StartupProblem(
      'folder_is_none',
      `${folder} is ${what}. Remove it: the next start makes a folder there.`,
    )
  }
  refuseOtherUser(folder, stats, ownUser)
}

/** Returns the text of a file, or null when there is none; refuses what `refusePlanted` refuses. */
export async function readPrivateFile(file: string): Promise<string | null> {
  const handle = await openOwn(file, constants.O_RDONLY).catch(absent)
  if (handle === null) return null
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Replaces a file with `replaceFile`; refuses to replace what `refusePlanted` refuses. */
export async function writePrivateFile(file: string, text: string, suffix: string): Promise<void> {
  await refusePlanted(file)
  await replaceFile(file, text, suffix)
}

/** Opens a file for appending, mode 0600 from now on; refuses what `refusePlanted` refuses. */
export async function openPrivateLog(file: string): Promise<FileHandle> {
  const handle = await openOwn(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
  await handle.chmod(PRIVATE_FILE_MODE).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  return handle
}

// The open file itself is examined, so nothing can be put in its place in between; a pipe is not waited for.
async function openOwn(file: string, flags: number): Promise<FileHandle> {
  const all = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, all, PRIVATE_FILE_MODE).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? linkProblem(file) : error
  })
  try {
    refusePlantedFile(file, await handle.stat(), process.getuid?.())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Replaces a file in one step, mode 0600: after a crash there is the old text or the new one, never a part. The
 * temporary name must be unguessable; `suffix` makes it so.
 */
export async function replaceFile(file: string, text: string | Buffer, suffix: string): Promise<void> {
  const temporary = `${file}.${suffix}.tmp`
  try {
    await writeNew(temporary, text)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(file)
}

async function writeNew(file: string, text: string | Buffer): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const handle = await open(file, flags, PRIVATE_FILE_MODE)
  await finish(handle, async () => {
    await handle.writeFile(text)
    await handle.sync()
  })
}

/** Makes the names in a file's folder survive a crash. */
export async function syncFolder(file: string): Promise<void> {
  const handle = await open(dirname(file), constants.O_RDONLY)
  await finish(handle, () => handle.sync())
}

async function finish(handle: FileHandle, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await handle.close()
  }
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** Writes all bytes at a position of a file; one write may take only a part of them. */
export async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}
