import { parseJson } from '../domain/core/json-object.ts'
import { StartupError } from '../domain/core/startup-error.ts'
import {
  createPrivateParentFolder,
  readPrivateFile,
  replaceFile,
  requireOwnFileIfExists,
} from '../store/disk/private-file.ts'

/**
 * Reads the object in a JSON file; null when the file does not exist. Throws a StartupError for a symbolic link, for a
 * file of another user, and for a file that is not a JSON object.
 */
export async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await withFileError(readPrivateFile(file), `${file} cannot be read`)
  if (text === null) return null
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null) return { ...value }
  throw new StartupError(
    'file_damaged',
    `${file} is not a JSON object. Restore it from a backup, or remove it: the next start creates a new one.`,
  )
}

/** Replaces a JSON file atomically, mode 0600; throws a StartupError for a link and for a file of another user. */
export async function writeJson(file: string, value: object, newSuffix: () => string): Promise<void> {
  await withFileError(requireOwnFileIfExists(file), `${file} cannot be read`)
  const text = `${JSON.stringify(value, null, 2)}\n`
  const written = createPrivateParentFolder(file).then(() => replaceFile(file, text, newSuffix()))
  await withFileError(written, `${file} cannot be written`)
}

async function withFileError<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError('file_inaccessible', `${what}: ${error instanceof Error ? error.message : error}.`)
  }
}
