import { closeSync, constants, openSync, write } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { listenLocally } from './listen-locally.ts'
import { threadCpuMicroseconds } from './machine-time.ts'
import { newCustomerWithEvent } from './records.ts'

const PRIVATE = 0o600
const writeBytes = promisify(write)

/**
 * Starts a minimal `node:http` server that parses a customer, appends it to a file with its event, and responds when
 * both are durable. Requests that arrive during a write share the next write.
 */
export async function startBareJournal({ file }: { readonly file: string }) {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_DSYNC, PRIVATE)
  let waiting: Pending[] = []
  let isWriting = false
  let offset = 0
  let count = 0

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const bytes = Buffer.from(batch.map(({ line }) => line).join(''))
      await writeBytes(descriptor, bytes, 0, bytes.length, offset)
      offset += bytes.length
      for (const { response, body } of batch) {
        const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
        response.writeHead(200, headers).end(body)
      }
    }
    isWriting = false
  }

  function take(text: string, response: ServerResponse): void {
    count += 1
    const { record, event } = newCustomerWithEvent(count, (prefix) => `${prefix}${count}`.padEnd(28, '0'))
    const body = JSON.stringify({ ...record, ...JSON.parse(text) })
    waiting.push({ response, body, line: `${body}\n${JSON.stringify({ ...event, data: {} })}\n` })
    // Deferring the write lets all requests of this turn of the event loop share it.
    if (!isWriting && waiting.length === 1) setImmediate(writeAll)
  }

  const server = createServer(async (request, response) => take(await readText(request), response))
  const port = await listenLocally(server)
  process.once('exit', () => closeSync(descriptor))
  return {
    port: () => port,
    cpuMicroseconds: threadCpuMicroseconds,
  }
}

interface Pending {
  readonly response: ServerResponse
  readonly body: string
  readonly line: string
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => resolve(Buffer.concat(chunks).toString()))
    request.once('error', reject)
  })
}
