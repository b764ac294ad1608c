import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'

/** The events that arrived at the endpoints of one run. */
export interface Arrivals {
  /** Distinct events per endpoint. */
  readonly events: number
  /** The number of events that arrived after a newer event. */
  readonly outOfOrder: number
}

/** Starts webhook endpoints that accept every event and compare its sequence with the newest one before it. */
export async function startOrderCheck({ count }: { readonly count: number }) {
  const endpoints = Array.from({ length: count }, () => ({
    seen: new Set<number>(),
    newest: 0,
    outOfOrder: 0,
  }))

  async function take(
    endpoint: (typeof endpoints)[number],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end()
    const { sequence } = JSON.parse(Buffer.concat(chunks).toString())
    if (endpoint.seen.has(sequence)) return
    endpoint.seen.add(sequence)
    if (sequence < endpoint.newest) endpoint.outOfOrder += 1
    endpoint.newest = Math.max(endpoint.newest, sequence)
  }

  const ports = await Promise.all(
    endpoints.map((endpoint) => {
      const server = createServer((request, response) => take(endpoint, request, response))
      server.keepAliveTimeout = 60_000
      return listenLocally(server)
    }),
  )
  return {
    ports: () => ports,
    arrivals: (): Arrivals => ({
      events: endpoints.reduce((sum, { seen }) => sum + seen.size, 0),
      outOfOrder: endpoints.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0),
    }),
  }
}
