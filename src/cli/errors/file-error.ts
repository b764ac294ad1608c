import { isAbsolute } from 'node:path'
import { findSystemErrorCode, getErrorMessage } from './error-fields.ts'
import { UsageError, type UsageErrorDetails } from './usage-error.ts'

/** Creates the error for a file that cannot be read. For a missing file, it names the folder of the search. */
export function createFileReadError(
  path: string,
  error: unknown,
  details: UsageErrorDetails = {},
): UsageError {
  const code = findSystemErrorCode(error)
  if (code === 'EISDIR') return new UsageError('file_invalid', `'${path}' is a folder, not a file.`, details)
  if (code !== 'ENOENT')
    return new UsageError(
      'file_invalid',
      `The file '${path}' cannot be read: ${getErrorMessage(error)}.`,
      details,
    )
  const folder = isAbsolute(path) ? '' : ` in ${process.cwd()}`
  const hint = `Check the path${folder && ', or give an absolute path'}.`
  return new UsageError('file_invalid', `There is no file '${path}'${folder}.`, { ...details, hint })
}
