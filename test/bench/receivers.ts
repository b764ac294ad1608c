import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { machineMs } from './machine-time.ts'

/** Local receivers that take everything, but hold their answers until they are opened; one more never answers. */
export async function startReceivers({ count }: { readonly count: number }) {
  const arrivals = new Map<string, number>()
  const events = new Set<string>()
  const waiting: ServerResponse[] = []
  let isOpen = true
  let received = 0
  let awaited: { readonly count: number; readonly resolve: (at: number) => void } | null = null

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = machineMs()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received += 1
    // Only where it is asked for by the path: keeping what came would slow the measured rate down.
    if (request.url === '/timed') arrivals.set(idIn(Buffer.concat(chunks).toString()), at)
    if (request.url === '/events') events.add(String(request.headers['webhook-id']))
    if (awaited !== null && received >= awaited.count) awaited.resolve(machineMs())
    if (isOpen) response.end()
    else waiting.push(response)
  }

  const ports = await Promise.all(Array.from({ length: count }, () => listen(take)))
  const silent = await listen(() => {})
  return {
    ports: () => ports,
    silentPort: () => silent,
    hold() {
      isOpen = false
    },
    /** Forgets what came, and what was held is answered; resolves with when, in milliseconds of this machine. */
    open() {
      isOpen = true
      received = 0
      for (const response of waiting.splice(0)) response.end()
      return machineMs()
    },
    reset() {
      received = 0
      arrivals.clear()
    },
    /** Resolves when so many have come, with when that was, in milliseconds of this machine. */
    until: (wanted: number) =>
      received >= wanted
        ? machineMs()
        : new Promise<number>((resolve) => {
            awaited = { count: wanted, resolve }
          }),
    /** The ids of the events that came. */
    events: () => [...events],
    /** When each object's first event came, in milliseconds of this machine. */
    arrivals: () => Object.fromEntries(arrivals),
  }
}

function idIn(body: string): string {
  return JSON.parse(body).data.object.id
}

function listen(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<number> {
  const server = createServer(answer)
  server.keepAliveTimeout = 60_000
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the receiver has no port'))
      else resolve(address.port)
    })
  })
}
