import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isAcceptingConnections } from '../../../client/port-probe.ts'
import { closeServer, listenLocally } from '../../webhook-tools/local-server.ts'

/** Starts a forwarding server on a free port of 127.0.0.1. A rejection of `forward` closes the connection. */
export async function openProxyServer(
  forward: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
  const server = createServer((request, response) => {
    // Closed connections are expected: the app may be killed at any time.
    request.on('error', () => {})
    response.on('error', () => {})
    forward(request, response).catch(() => response.destroy())
  })
  const port = await listenLocally(server)
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) }
}

// The ports of apps are below the ephemeral range, so that no connection takes a port while its app restarts.
const FIRST_PORT = 20_000
const PORT_COUNT = 10_000
/** Distance between the first ports of two explorations, so that simultaneous explorations use different ports. */
const PORT_STEP = 7919

/** Returns a local port on which no server listens. */
export async function findFreePort(seed: number): Promise<number> {
  for (let attempt = 0; attempt < PORT_COUNT; attempt += 1) {
    const port = FIRST_PORT + (((seed + attempt) * PORT_STEP) % PORT_COUNT)
    if (!(await isAcceptingConnections(`http://localhost:${port}`)) && (await canListen(port))) return port
  }
  throw new Error(`all ports from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT - 1} are in use`)
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await listenLocally(server, port)
  } catch {
    return false
  }
  await closeServer(server)
  return true
}
