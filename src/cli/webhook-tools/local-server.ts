import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { readBytes } from '../../client/read-bytes.ts'

/** Starts a server on a port of 127.0.0.1 (default: a free port) and resolves with the port. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address')
  return address.port
}

/** Closes a server and its open connections. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Reads the whole body of a message. Throws when the body is larger than 1 MiB. */
export async function readBodyBytes(message: IncomingMessage): Promise<Buffer> {
  const body = await readBytes(message, MAX_BODY_BYTES)
  if (body === null) throw new Error(`the body is larger than ${MAX_BODY_BYTES} bytes`)
  return body
}

/** Maximum size of a request or response body in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024
