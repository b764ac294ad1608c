import { createServer, type Server } from 'node:http'
import type Koa from 'koa'
import { StartupProblem } from '../domain/startup-problem.ts'

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const CONNECTIONS_CHECK_MS = 1000
const MAX_HEADER_BYTES = 16_384
const MAX_CONNECTIONS = 2048

export interface Address {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** The flag that sets the port, for messages. */
  readonly flag: string
}

/** A server that listens, before it answers anything: resolves once its port is its own. */
export async function listen({
  host,
  port,
  flag,
}: Address): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = 'code' in error && error.code === 'EADDRINUSE'
      reject(isTaken ? portTaken({ host, port, flag }) : error)
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no address')
  return { server, port: address.port }
}

/** Lets an app answer a listening server. */
export function serveApp(server: Server, app: Koa): void {
  server.on('request', app.callback())
}

/** Stops taking connections, lets the running requests finish, and resolves when all are closed. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}

function portTaken({ host, port, flag }: Address): StartupProblem {
  return new StartupProblem(
    'port_taken',
    `Port ${port} on ${host} is already in use, perhaps by another paycli. Use that one, stop it, or choose another port with ${flag} <port> (0 takes a free one).`,
  )
}
