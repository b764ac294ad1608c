import { isAbsolute } from 'node:path'
import { findSystemErrorCode, getErrorMessage } from './error-fields.ts'
import { UsageError, type UsageErrorDetails } from './usage-error.ts'

/** Creates the error for a file that cannot be read. For a missing file, the message names the searched folder. */
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
  if (path.startsWith('{'))
    return new UsageError('file_invalid', 'The value is JSON, but the path of a file was expected.', {
      ...details,
      hint: 'Write the JSON to a file, or use - and standard input.',
    })
  const isCommand = /^[a-z]+$/.test(path)
  const check = `Check the path${folder && ', or give an absolute path'}.`
  const hint = isCommand ? `${check} If '${path}' is a command, write -- before it.` : check
  return new UsageError('file_invalid', `There is no file '${path}'${folder}.`, { ...details, hint })
}
