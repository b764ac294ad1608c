import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface WebhookServer {
  readonly url: string
  readonly port: number
  readonly received: readonly ReceivedRequest[]
  /** Resolves when at least `count` requests have been received. */
  readonly waitFor: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Opens an HTTP server for webhooks on a free port (default response: 200). */
export async function openWebhookServer(
  answer: Answer = (_request, response) => response.end('ok'),
): Promise<WebhookServer> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request).catch(() => null)
    // Ignores a client that disconnected within the body.
    if (body === null) return
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body })
    answer(request, response)
    server.emit('received')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    async waitFor(count) {
      while (received.length < count) await once(server, 'received')
    },
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
