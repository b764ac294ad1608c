import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SECURITY_HEADERS } from '../api/core/security-headers.ts'
import { StartupProblem } from '../domain/startup-problem.ts'
import { withinTime } from './ticker.ts'

/** What a client may take its time with, how large its headers may be, and how many connections there are; in milliseconds and bytes. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  maxConnections: 2048,
  maxConnectionsPerAddress: 512,
  /** How long a connection above the limit of its address may take to receive its answer. */
  farewellMs: 1000,
  /** How many such connections of an address receive an answer at the same time; more are cut off without one. */
  maxFarewellsPerAddress: 64,
}

export interface Address {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** The flag that sets the port, for messages. */
  readonly flag: string
  /** Other limits than `SERVER_LIMITS`. */
  readonly limits?: Partial<typeof SERVER_LIMITS>
}

/** An answer in text. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What answers at an address. */
export interface App {
  readonly answer: RequestListener
  /** What to say to somebody whose request cannot be read as HTTP. */
  readonly answerUnreadable: () => PlainAnswer
  /** What to say to somebody who has too many connections. */
  readonly answerCrowded: () => PlainAnswer
}

/** A port that is this process's own. */
export interface Listener {
  readonly port: number
  /** Lets an app answer, also the requests that came before it was there. */
  readonly serve: (app: App) => void
  /** Takes nothing more, lets running requests finish for so long, and resolves when every connection is closed. */
  readonly close: (limitMs: number) => Promise<void>
}

/** Takes a port, before anything can be answered on it; refuses with a StartupProblem when it is taken. */
export async function listen(address: Address): Promise<Listener> {
  // A request without a Host is for the app to refuse, like one with a wrong Host.
  const given = { ...SERVER_LIMITS, ...address.limits }
  const { maxConnections, maxConnectionsPerAddress, farewellMs, maxFarewellsPerAddress, ...limits } = given
  const server = createServer({ ...limits, requireHostHeader: false })
  server.maxConnections = maxConnections
  // One entry per connection: in a set that each request enters and leaves, one that has grown old keeps all younger
  // ones from being collected.
  const newest = new Map<Duplex, ServerResponse | null>()
  const countOf = createConnectionCount()
  const turnedAway = new WeakSet<Duplex>()
  server.on('connection', (socket) => {
    newest.set(socket, null)
    socket.once('close', () => newest.delete(socket))
    const tooMany = countOf(socket) - maxConnectionsPerAddress
    if (tooMany <= 0) return
    turnedAway.add(socket)
    if (app === null || tooMany > maxFarewellsPerAddress) socket.destroy()
    else turnAway(socket, { answer: app.answerCrowded(), farewellMs })
  })
  const served = Promise.withResolvers<App>()
  let app: App | null = null
  const answer: RequestListener = (request, response) => {
    if (turnedAway.has(request.socket)) return
    newest.set(request.socket, response)
    if (app === null) served.promise.then(({ answer }) => answer(request, response))
    else app.answer(request, response)
  }
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('clientError', (error, socket) => {
    const response = newest.get(socket)
    const isTooLate = response?.socket === socket && response.headersSent
    if (app === null || isTooLate || !socket.writable || turnedAway.has(socket)) socket.destroy()
    else refuse(socket, isTimeout(error) ? LATE : app.answerUnreadable())
  })
  const port = await bind(server, address)
  return {
    port,
    serve(given) {
      app = given
      served.resolve(given)
    },
    async close(limitMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Those of one connection are answered in order, so the newest is the last.
      const answered = [...newest.values()].map((response) =>
        response?.closed === false ? ended(response) : null,
      )
      await withinTime(Promise.all(answered), app === null ? 0 : limitMs)
      // Browsers keep connections open that they never used, and these count as busy.
      server.closeAllConnections()
      await closed
    },
  }
}

function bind(server: Server, { host, port, flag }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = 'code' in error && error.code === 'EADDRINUSE'
      reject(isTaken ? portTaken({ host, port, flag }) : error)
    })
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('a TCP server has no address'))
      else resolve(address.port)
    })
  })
}

function ended(response: ServerResponse): Promise<void> {
  if (!response.headersSent) response.setHeader('Connection', 'close')
  return new Promise((resolve) => response.once('close', resolve))
}

const LATE: PlainAnswer = { status: 408, headers: SECURITY_HEADERS, body: '' }

function isTimeout(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
}

function refuse(socket: Duplex, answer: PlainAnswer): void {
  socket.end(textOf(answer), () => socket.destroy())
}

interface Farewell {
  readonly answer: PlainAnswer
  readonly farewellMs: number
}

// What the client sends meanwhile must be read, or the kernel drops the answer. The deadline does not depend on what the
// client does: an idle timeout would start again with each byte.
function turnAway(socket: Socket, { answer, farewellMs }: Farewell): void {
  // Takes the socket from the HTTP parser.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  withinTime(closed, farewellMs).then(() => socket.destroy())
  socket.end(textOf(answer))
}

/** Counts the open connections of each address; returns for a new one how many its address has with it. */
function createConnectionCount(): (socket: Socket) => number {
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

function textOf({ status, headers, body }: PlainAnswer): string {
  const length = String(Buffer.byteLength(body))
  const all = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...all.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function portTaken({ host, port, flag }: Address): StartupProblem {
  return new StartupProblem(
    'port_taken',
    `Port ${port} on ${host} is already in use, perhaps by another paycli. Use that one, stop it, or choose another port with ${flag} <port> (0 takes a free one).`,
  )
}
