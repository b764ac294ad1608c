import { readFile } from 'node:fs/promises'
import { isFields } from '../client/fields.ts'
import type { FlagValues, Params } from './params.ts'
import { UsageError } from './usage-error.ts'

/** The service takes bodies of 256 KiB; this leaves room for the white space of a file. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/** What the file of `--from-file` gives; nothing without that flag. */
export async function paramsFromFile(flags: FlagValues): Promise<Params> {
  const path = flags['from-file']
  return typeof path === 'string' ? readParams(path) : {}
}

/** The JSON object in a file, or on standard input for `-`, as the parameters of a create. */
export async function readParams(path: string): Promise<Params> {
  const text = path === '-' ? await readStdin() : await readText(path)
  const where = path === '-' ? 'Standard input' : `The file '${path}'`
  const value = parse(text, where)
  if (isFields(value)) return value
  throw wrong(`${where} holds ${Array.isArray(value) ? 'an array' : 'no object'}, not one JSON object.`)
}

async function readText(path: string): Promise<string> {
  try {
    return bounded(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw wrong(
      `The file '${path}' cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

async function readStdin(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text = bounded(text + String(chunk))
  return text
}

function bounded(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  throw wrong(`The input is longer than ${MAX_CHARACTERS} characters.`)
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
