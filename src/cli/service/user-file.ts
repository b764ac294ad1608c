import { dirname } from 'node:path'
import { newIdempotencyKey } from '../../client/idempotency-key.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { createSymlinkError, requireOwnFileStats } from '../../store/disk/file-ownership.ts'
import { findSystemErrorCode, getErrorMessage } from '../errors/error-fields.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * Returns the text of a file, or null when it does not exist. Throws for a symbolic link and for a file of another
 * user. The function is synchronous and loads no modules, because every command reads such files before its request.
 */
export function readOptionalOwnFile(file: string): string | null {
  // Importing node:fs would load its streams too.
  const { closeSync, constants, fstatSync, openSync, readFileSync } = process.getBuiltinModule('node:fs')
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = findSystemErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw code === 'ELOOP' ? toUsageError(createSymlinkError(file)) : error
  }
  try {
    requireOwnFileStats(file, fstatSync(handle), process.getuid?.())
    return readFileSync(handle, 'utf8')
  } catch (error) {
    throw error instanceof StartupError ? toUsageError(error) : error
  } finally {
    closeSync(handle)
  }
}

/** Reads a file as `readOptionalOwnFile` does, but throws a UsageError for an unreadable file. */
export function readOptionalOwnFileOrUsageError(file: string): string | null {
  try {
    return readOptionalOwnFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('file_invalid', `'${file}' cannot be read: ${getErrorMessage(error)}.`)
  }
}

/** Replaces a file atomically, with mode 0600. Throws a UsageError if the write fails. */
export async function writePrivateFileOrUsageError(file: string, text: string | Buffer): Promise<void> {
  const { writePrivateFile } = await import('../../store/disk/private-file.ts')
  try {
    await writePrivateFile(file, text, newIdempotencyKey())
  } catch (error) {
    if (error instanceof StartupError) throw toUsageError(error)
    if (findSystemErrorCode(error) === null) throw error
    const isFolderMissing = findSystemErrorCode(error) === 'ENOENT'
    const why = isFolderMissing ? `folder '${dirname(file)}' does not exist` : getErrorMessage(error)
    throw new UsageError('file_invalid', `'${file}' cannot be written: ${why}.`, {
      hint: 'Choose a file in an existing folder.',
    })
  }
}

function toUsageError({ message }: StartupError): UsageError {
  return new UsageError('file_invalid', message)
}
