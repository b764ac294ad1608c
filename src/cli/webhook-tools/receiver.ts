import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { listenLocally } from './local-port.ts'

/** A delivery that reached a receiver. */
export interface ReceivedEvent {
  readonly type: string
  readonly id: string
  /** Whether the signature is right, checked as Standard Webhooks asks. */
  readonly isGenuine: boolean
}

export interface Receiver {
  readonly url: string
  /** Resolves with all received so far once one of this type is among them. */
  readonly until: (type: string) => Promise<readonly ReceivedEvent[]>
  readonly close: () => Promise<void>
}

const MAX_BODY_BYTES = 1024 * 1024

/** A webhook handler of our own on a free local port: verifies each delivery and answers 200, or 400 for a bad one. */
export async function startReceiver(secretOf: () => string): Promise<Receiver> {
  const received: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => {
        const event = readEvent(request, body, secretOf())
        received.push(event)
        response.writeHead(event.isGenuine ? 200 : 400).end()
        for (const look of waiting) look()
      })
      .catch(() => response.writeHead(400).end())
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    until: (type) =>
      new Promise((resolve) => {
        const look = () => {
          if (!received.some((event) => event.type === type)) return
          waiting.delete(look)
          resolve([...received])
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error(`a delivery is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readEvent(request: IncomingMessage, body: string, secret: string): ReceivedEvent {
  const { type, id } = JSON.parse(body) as { type: string; id: string }
  return { type, id, isGenuine: isGenuine(request, body, secret) }
}

function isGenuine({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = Buffer.from(createHmac('sha256', key).update(signed).digest('base64'))
  return String(headers['webhook-signature'])
    .split(' ')
    .map((part) => Buffer.from(part.replace(/^v1,/, '')))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
