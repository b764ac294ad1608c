import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What arrived at the endpoints of one run. */
export interface Arrivals {
  /** Events by endpoint, each counted once. */
  readonly events: number
  /** Events that arrived after a newer one. */
  readonly outOfOrder: number
}

/** Webhook endpoints that accept everything and compare the sequence of each event with the newest before it. */
export async function startOrdered({ count }: { readonly count: number }) {
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
    endpoints.map(async (endpoint) => {
      const server = createServer((request, response) => take(endpoint, request, response))
      server.keepAliveTimeout = 60_000
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return (server.address() as AddressInfo).port
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
