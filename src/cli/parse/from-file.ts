import { readFile } from 'node:fs/promises'
import { isFields } from '../../client/fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues, Params } from './params.ts'

/** The service takes bodies of 256 KiB; this leaves room for the white space of a file. */
const MAX_BYTES = 4 * 1024 * 1024

/** What the file of `--from-file` gives; nothing without that flag. */
export async function paramsFromFile(flags: FlagValues): Promise<Params> {
  const path = flags['from-file']
  return typeof path === 'string' ? readParams(path) : {}
}

/** What whoever asks for a file tells of what it should be. */
interface Expected {
  readonly hint: string
  /** The flag that names it. */
  readonly param?: string
}

const BODY: Expected = {
  hint: 'Give the body of the request, such as {"email":"ada@example.com"}.',
  param: 'from-file',
}

/** The JSON object in a file, or on standard input for `-`: the parameters of a create, unless something else is expected. */
export async function readParams(path: string, expected: Expected = BODY): Promise<Params> {
  try {
    return await objectIn(path)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new UsageError('file_invalid', error.message, expected)
  }
}

/** What is wrong with a file. */
class Unreadable extends Error {}

async function objectIn(path: string): Promise<Params> {
  const bytes = path === '-' ? await readStdin() : await readBytes(path)
  const where = path === '-' ? 'Standard input' : `The file '${path}'`
  const value = parse(textOf(bytes, where), where)
  if (isFields(value)) return value
  throw new Unreadable(
    `${where} holds ${Array.isArray(value) ? 'an array' : 'no object'}, not one JSON object.`,
  )
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return bounded(await readFile(path))
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(
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
  throw new Unreadable(`The input is longer than ${MAX_BYTES} bytes.`)
}

// Editors of some systems begin a file with a byte order mark, which is passed over here.
function textOf(bytes: Buffer, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable(`${where} is no text in UTF-8.`)
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Unreadable(
      `${where} is no valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}
