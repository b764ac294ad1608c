import { createHmac, timingSafeEqual } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { closeServer, listenLocally, readBodyBytes } from './local-server.ts'

/** An event that a demo handler received. */
export interface ReceivedEvent {
  readonly type: string
  readonly id: string
  readonly isSignatureValid: boolean
}

/** A webhook handler on a local port. */
export type DemoHandler = Awaited<ReturnType<typeof startDemoHandler>>

/** Starts a webhook handler on a free local port. It responds with 200, or with 400 for an invalid signature. */
export async function startDemoHandler(getSecret: () => string) {
  const received: ReceivedEvent[] = []
  const arrivals = new EventEmitter()
  const server = createServer((request, response) => {
    readBodyBytes(request)
      .then((bytes) => {
        const event = readEvent(request, bytes.toString('utf8'), getSecret())
        received.push(event)
        response.writeHead(event.isSignatureValid ? 200 : 400).end()
        arrivals.emit('event')
      })
      .catch(() => response.writeHead(400).end())
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    /** Resolves with all received events once an event of this type has arrived. */
    async waitFor(type: string): Promise<readonly ReceivedEvent[]> {
      while (!received.some((event) => event.type === type)) await once(arrivals, 'event')
      return [...received]
    },
    close: () => closeServer(server),
  }
}

function readEvent(request: IncomingMessage, body: string, secret: string): ReceivedEvent {
  const { type, id } = JSON.parse(body) as { type: string; id: string }
  return { type, id, isSignatureValid: isSignatureValid(request, body, secret) }
}

// Verifies the signature as the Standard Webhooks specification requires.
function isSignatureValid({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = Buffer.from(createHmac('sha256', key).update(signed).digest('base64'))
  return String(headers['webhook-signature'])
    .split(' ')
    .map((part) => Buffer.from(part.replace(/^v1,/, '')))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
