import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SECURITY_HEADERS } from '../../api/core/security-headers.ts'
import { createRequestMalformedError, createTooManyConnectionsError } from '../../api/schema/http-errors.ts'
import type { DomainError } from '../../domain/core/domain-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { waitAtMost } from '../system/task-scheduling.ts'

/** Timeouts in milliseconds, the header size in bytes, and limits on connections. */
export const HTTP_SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  maxConnections: 2048,
  maxConnectionsPerAddress: 512,
  /** Maximum time for a connection above the limit per address to receive its response. */
  rejectionTimeoutMs: 1000,
  /**
   * Maximum number of connections above the limit per address that receive a response at the same time. Further
   * connections are closed without a response.
   */
  maxRejectionsPerAddress: 64,
}

export interface BindOptions {
  readonly host: string
  /** The port; 0 selects a free port. */
  readonly port: number
  /** The flag that sets the port, for messages. */
  readonly flag: string
  /** Overrides of `HTTP_SERVER_LIMITS`. */
  readonly limits?: Partial<typeof HTTP_SERVER_LIMITS>
}

/** An HTTP response with a text body. */
export interface TextResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An app that a listener serves. */
export interface HttpApp {
  readonly handle: RequestListener
  /** Creates the response to a request that is not valid HTTP, or to a connection above the limit per address. */
  readonly createErrorResponse: (error: DomainError) => TextResponse
  /** Ends waits of running requests when the listener closes. */
  readonly stop?: () => void
}

/** A listener on a bound port. */
export type HttpListener = Awaited<ReturnType<typeof openHttpListener>>

/** Binds a port before an app can serve it; throws a StartupError when the port is in use. */
export async function openHttpListener(options: BindOptions) {
  const { maxConnections, maxConnectionsPerAddress, rejectionTimeoutMs, maxRejectionsPerAddress, ...limits } =
    { ...HTTP_SERVER_LIMITS, ...options.limits }
  // The app rejects a missing Host header like a wrong Host header.
  const server = createServer({ ...limits, requireHostHeader: false })
  server.maxConnections = maxConnections
  // The latest response of each connection. A set of all responses would grow: an old entry would prevent the garbage
  // collection of all later entries.
  const newest = new Map<Duplex, ServerResponse | null>()
  const countConnections = createConnectionCounter()
  const rejected = new WeakSet<Duplex>()
  server.on('connection', (socket) => {
    newest.set(socket, null)
    socket.once('close', () => newest.delete(socket))
    const excess = countConnections(socket) - maxConnectionsPerAddress
    if (excess <= 0) return
    rejected.add(socket)
    if (app === null || excess > maxRejectionsPerAddress) socket.destroy()
    else
      rejectConnection(socket, app.createErrorResponse(createTooManyConnectionsError()), rejectionTimeoutMs)
  })
  const served = Promise.withResolvers<HttpApp>()
  let app: HttpApp | null = null
  const handle: RequestListener = (request, response) => {
    if (rejected.has(request.socket)) return
    newest.set(request.socket, response)
    if (app === null) served.promise.then(({ handle }) => handle(request, response))
    else app.handle(request, response)
  }
  server.on('request', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = newest.get(socket)
    const isTooLate = response?.socket === socket && response.headersSent
    if (app === null || isTooLate || !socket.writable || rejected.has(socket)) socket.destroy()
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') sendAndDestroy(socket, TIMEOUT_RESPONSE)
    else sendAndDestroy(socket, app.createErrorResponse(createRequestMalformedError()))
  })
  return {
    port: await bind(server, options),
    /** Starts an app, which also handles the requests that arrived earlier. */
    serve(newApp: HttpApp): void {
      app = newApp
      served.resolve(newApp)
    },
    /** Stops accepting connections, waits up to `limitMs` for requests, and resolves when all connections are closed. */
    async close(limitMs: number): Promise<void> {
      app?.stop?.()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // The responses of a connection are sent in order, so the newest response is the last.
      const finished = [...newest.values()].map((response) =>
        response?.closed === false ? waitForClose(response) : null,
      )
      await waitAtMost(Promise.all(finished), app === null ? 0 : limitMs)
      // Browsers open connections in advance, and Node.js does not count unused connections as idle.
      server.closeAllConnections()
      await closed
    },
  }
}

function bind(server: Server, { host, port, flag }: BindOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `Port ${port} on ${host} is already in use. Stop that process, or choose another port with ${flag} <port> (0 selects a free port).`
      reject(error.code === 'EADDRINUSE' ? new StartupError('port_taken', message) : error)
    })
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string')
        reject(new Error('a TCP server without an address'))
      else resolve(address.port)
    })
  })
}

function waitForClose(response: ServerResponse): Promise<void> {
  if (!response.headersSent) response.setHeader('Connection', 'close')
  return new Promise((resolve) => response.once('close', resolve))
}

const TIMEOUT_RESPONSE: TextResponse = { status: 408, headers: SECURITY_HEADERS, body: '' }

function sendAndDestroy(socket: Duplex, response: TextResponse): void {
  socket.end(formatResponse(response), () => socket.destroy())
}

// The socket must be read, or the kernel discards the response. The deadline is fixed, because an idle timeout would
// start again with each byte from the client.
function rejectConnection(socket: Socket, response: TextResponse, timeoutMs: number): void {
  // Detach the HTTP parser from the socket.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  waitAtMost(closed, timeoutMs).then(() => socket.destroy())
  socket.end(formatResponse(response))
}

/** Creates a function that counts a new connection and returns the number of open connections from its address. */
function createConnectionCounter(): (socket: Socket) => number {
  const counts = new Map<string, number>()
  return (socket) => {
    const { remoteAddress = '' } = socket
    const count = (counts.get(remoteAddress) ?? 0) + 1
    counts.set(remoteAddress, count)
    socket.once('close', () => {
      const left = (counts.get(remoteAddress) ?? 1) - 1
      if (left > 0) counts.set(remoteAddress, left)
      else counts.delete(remoteAddress)
    })
    return count
  }
}

function formatResponse({ status, headers, body }: TextResponse): string {
  const length = String(Buffer.byteLength(body))
  const all = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...all.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
