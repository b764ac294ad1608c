import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'
import { machineMs } from './machine-time.ts'

/** Starts local webhook endpoints that hold their responses until they are released, and one that never responds. */
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
    // Only these two paths record arrivals, because recording lowers the measured rate.
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
    /** Resets the number of received requests and sends all held responses; returns the time in monotonic milliseconds. */
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
    /** Resolves when this number of requests has arrived, with the time in monotonic milliseconds. */
    until: (wanted: number) =>
      received >= wanted
        ? machineMs()
        : new Promise<number>((resolve) => {
            awaited = { count: wanted, resolve }
          }),
    /** Returns the ids of the events that arrived. */
    events: () => [...events],
    /** Returns the arrival time of the first event of each object, in monotonic milliseconds. */
    arrivals: () => Object.fromEntries(arrivals),
  }
}

function idIn(body: string): string {
  return JSON.parse(body).data.object.id
}

function listen(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<number> {
  const server = createServer(answer)
  server.keepAliveTimeout = 60_000
  return listenLocally(server)
}
