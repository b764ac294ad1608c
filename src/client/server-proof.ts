import type { Agent, IncomingMessage } from 'node:http'
import { CHALLENGE_HEADER, computeServerProof, PROOF_HEADER } from '../api/core/server-proof.ts'
import { createUnprovenServerError } from './connection-error.ts'
import type { HttpRequest } from './request.ts'
import { getBaseRequestOptions, type HttpResponse, readResponse, sendHttpRequest } from './send-request.ts'
import type { ReadServerSecret } from './server-connection.ts'

const CHALLENGE_BYTES = 32

/** The connection that a client keeps between requests; null before the first request and after an error. */
export interface KeptConnection {
  agent: Agent | null
}

interface KeptConnectionOptions {
  readonly kept: KeptConnection
  readonly signal: AbortSignal
  /** Undefined for a server that need not prove its identity. */
  readonly readSecret: ReadServerSecret | undefined
}

/**
 * Sends a request on the kept connection or on a new connection. On a new connection, a local server must first prove
 * that it knows the secret in its private file. After a crash of the server, another program may listen at the address.
 */
export async function sendOnKeptConnection(
  base: string,
  outgoing: HttpRequest,
  { kept, signal, readSecret }: KeptConnectionOptions,
): Promise<IncomingMessage> {
  const agent = kept.agent !== null && isOpen(kept.agent) ? kept.agent : createSingleConnection(base)
  try {
    if (kept.agent !== agent && readSecret !== undefined)
      await readHealthWithProof(base, readSecret, signal, agent)
    kept.agent = agent
    return await sendHttpRequest(base, outgoing, signal, agent)
  } catch (error) {
    if (kept.agent === agent) kept.agent = null
    agent.destroy()
    throw error
  }
}

/** Sends a request on its own connection, on which the local server has proved its identity. */
export function sendToProvenServer(
  base: string,
  outgoing: HttpRequest,
  signal: AbortSignal,
  readSecret: ReadServerSecret,
): Promise<IncomingMessage> {
  const headers = { ...outgoing.headers, Connection: 'close' }
  return sendOnKeptConnection(base, { ...outgoing, headers }, { kept: { agent: null }, signal, readSecret })
}

// Returns whether a kept connection is open. The server closes a connection that is idle for some seconds.
function isOpen({ sockets, freeSockets }: Agent): boolean {
  return [sockets, freeSockets].some((byName) => Object.keys(byName).length > 0)
}

// Creates an agent for a single connection, because a second connection could reach another program.
function createSingleConnection(base: string): Agent {
  const { http } = getBaseRequestOptions(base)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const connect = agent.createConnection
  let isOpened = false
  agent.createConnection = (options, callback) => {
    if (!isOpened) {
      isOpened = true
      return connect.call(agent, options, callback)
    }
    const lost = new Error('the connection was closed after the proof')
    callback?.(Object.assign(lost, { code: 'ECONNRESET' }), null as never)
    return undefined
  }
  return agent
}

/** Reads the health of a local server. Throws if the server does not prove its identity. */
export async function readHealthWithProof(
  base: string,
  readSecret: ReadServerSecret,
  signal: AbortSignal,
  agent: Agent | false = false,
): Promise<HttpResponse> {
  const { randomBytes, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  const secretBefore = readSecret()
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex')
  const headers = { Accept: 'application/json', [CHALLENGE_HEADER]: challenge }
  const response = await sendHttpRequest(
    base,
    { method: 'GET', path: '/healthz', headers, body: null },
    signal,
    agent,
  )
  const health = await readResponse(response)
  const given = Buffer.from(String(response.headers[PROOF_HEADER] ?? ''))
  const isProof = (secret: string | null) => {
    // Reject an empty secret, because any program could compute its proof.
    const expected = Buffer.from((secret && computeServerProof(secret, challenge)) ?? '')
    return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
  }
  // A server that starts publishes its secret before it responds, and a server that stops may have withdrawn its secret.
  const secret = isProof(secretBefore) ? secretBefore : readSecret()
  if (isProof(secret)) return health
  throw createUnprovenServerError(base, health.status, Boolean(secret))
}
