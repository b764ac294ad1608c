import { readFile } from 'node:fs/promises'
import { UsageError } from '../errors/usage-error.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** The bytes of a file, or of standard input for `-`, exactly as they are. */
export async function readBody(path: string): Promise<string> {
  const bytes = path === '-' ? await readStdin() : await readBytes(path)
  if (bytes.length <= MAX_BYTES) return bytes.toString('utf8')
  throw new UsageError('flag_invalid', `The body is longer than ${MAX_BYTES} bytes.`, { param: 'body' })
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError('flag_invalid', `The file '${path}' cannot be read: ${why}.`, { param: 'body' })
  }
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
