import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { openWebhookServer, type WebhookServer } from './webhook-server.ts'

/** Headers and body of a sample request. */
export const SAMPLE_REQUEST = {
  headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', 'X-Test': 'a' },
  body: '{"name":"Zoë 🧾\u2028"}',
}
/** A guard that allows everything except metadata services. */
export const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] })
export const nowMs = () => performance.now()

/** Sends once with a new sender. */
export async function sendTo(url: string, timeoutMs?: number): Promise<SendResult> {
  const sender = createSender({ guard, nowMs, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  try {
    return await sender.send({ url, ...SAMPLE_REQUEST })
  } finally {
    await sender.close()
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Sends once to a server with a request handler. */
export async function sendToHandler(
  answer: Answer,
  timeoutMs?: number,
): Promise<{ result: SendResult; receiver: WebhookServer }> {
  const receiver = await openWebhookServer(answer)
  try {
    return { result: await sendTo(receiver.url, timeoutMs), receiver }
  } finally {
    await receiver.close()
  }
}

/** Sends one request to a TCP server that passes each connection to `onSocket`. */
export async function sendToSocket(
  onSocket: (socket: Socket) => void,
  protocol = 'http',
  timeoutMs = 5000,
): Promise<SendResult> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await sendTo(`${protocol}://127.0.0.1:${port}/`, timeoutMs)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}
