import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { readBytes } from '../../client/read-bytes.ts'
import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import { createFileReadError } from '../errors/file-error.ts'
import { createJsonError } from '../errors/json-error.ts'
import { UsageError, type UsageErrorDetails } from '../errors/usage-error.ts'
import type { FlagValues, Params } from './params.ts'

/** Maximum size of an input file. The API accepts bodies of 256 KiB, but a file may contain white space. */
const MAX_BYTES = 4 * 1024 * 1024

const BODY_DETAILS: UsageErrorDetails = {
  hint: 'Give the body of the request, such as {"email":"ada@example.com"}.',
  param: 'from-file',
}

type CreateInputError = (message: string) => UsageError

/** Returns the parameters in the file of `--from-file`; empty without that flag. */
export async function readFileParams(flags: FlagValues): Promise<Params> {
  const path = flags['from-file']
  return typeof path === 'string' ? readJsonObject(path) : {}
}

/** Reads a JSON object from a file, or from standard input for `-`. */
export async function readJsonObject(path: string, details = BODY_DETAILS): Promise<Params> {
  const createError: CreateInputError = (message) => new UsageError('file_invalid', message, details)
  const source = path === '-' ? 'Standard input' : `The file '${path}'`
  const bytes = await readInput(path, details, createError)
  if (!isUtf8(bytes)) throw createError(`${source} is not UTF-8 text.`)
  // TextDecoder skips the byte order mark that some editors write.
  const text = new TextDecoder().decode(bytes)
  const value = parseJson(text)
  if (value === undefined) throw createJsonError(source, text, details)
  if (isJsonObject(value)) return value
  throw createError(`${source} is not a JSON object${Array.isArray(value) ? ', but an array' : ''}.`)
}

/** Reads the bytes of a file that a flag names (default: the body of a webhook), or of standard input for `-`. */
export function readInputFile(path: string, param = 'body'): Promise<Buffer> {
  const details = { param }
  return readInput(path, details, (message) => new UsageError('flag_invalid', message, details))
}

async function readInput(
  path: string,
  details: UsageErrorDetails,
  createError: CreateInputError,
): Promise<Buffer> {
  const bytes =
    path === '-'
      ? await readBytes(process.stdin, MAX_BYTES)
      : await readFile(path).catch((error: unknown) => {
          throw createFileReadError(path, error, details)
        })
  if (bytes !== null && bytes.length <= MAX_BYTES) return bytes
  throw createError(`The input is longer than ${MAX_BYTES} bytes.`)
}
