import { readFile } from 'node:fs/promises'
import { isFields } from '../client/fields.ts'
import type { FlagValues, Params } from './params.ts'
import { UsageError } from './usage-error.ts'

/** The service takes bodies of 256 KiB; this leaves room for the white space of a file. */
const MAX_BYTES = 4 * 1024 * 1024

/** What the file of `--from-file` gives; nothing without that flag. */
export async function paramsFromFile(flags: FlagValues): Promise<Params> {
  const path = flags['from-file']
  return typeof path === 'string' ? readParams(path) : {}
}

/** The JSON object in a file, or on standard input for `-`, as the parameters of a create. */
export async function readParams(path: string): Promise<Params> {
  const bytes = path === '-' ? await readStdin() : await readBytes(path)
  const where = path === '-' ? 'Standard input' : `The file '${path}'`
  const value = parse(textOf(bytes, where), where)
  if (isFields(value)) return value
  throw wrong(`${where} holds ${Array.isArray(value) ? 'an array' : 'no object'}, not one JSON object.`)
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return bounded(await readFile(path))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw wrong(
      `The file '${path}' cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    length += chunk.length
    chunks.push(Buffer.from(chunk))
    if (length > MAX_BYTES) break
  }
  return bounded(Buffer.concat(chunks))
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length <= MAX_BYTES) return bytes
  throw wrong(`The input is longer than ${MAX_BYTES} bytes.`)
}

// Editors of some systems begin a file with a byte order mark, which is passed over here.
function textOf(bytes: Buffer, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrong(`${where} is no text in UTF-8.`)
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(`${where} is no valid JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function wrong(message: string): UsageError {
  const hint = 'Give the body of the request, such as {"email":"ada@example.com"}.'
  return new UsageError('file_invalid', message, { param: 'from-file', hint })
}
