import type { WebhookDelivery } from '../../src/domain/events/webhook-deliveries.ts'
import { createSender, type Sender } from '../../src/webhooks/send.ts'
import { createWebhookSecret } from '../../src/webhooks/sign.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import type { WebhookWorker } from '../../src/webhooks/worker.ts'
import { Outbox, type SendRequest } from './outbox.ts'
import { openWebhookServer, type WebhookServer } from './webhook-server.ts'

/** The secret of the endpoint. */
export const SECRET = createWebhookSecret((count) => Buffer.alloc(count, 'paycli'))

/** An outbox with an endpoint whose requests an HTTP server records. */
export interface FaultyEndpoint {
  outbox: Outbox
  sender: Sender
  receiver: WebhookServer
  /** The status of all responses. */
  status: number
  endpoint: string
}

/** Opens the endpoint of a test. */
export async function openFaultyEndpoint(context: FaultyEndpoint): Promise<void> {
  context.outbox = new Outbox()
  // The verifiers use the clock of the machine.
  context.outbox.now = Math.floor(Date.now() / 1000)
  context.sender = createSender({
    nowMs: () => performance.now(),
    guard: createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] }),
  })
  context.status = 200
  context.receiver = await openWebhookServer((_request, response) => {
    response.statusCode = context.status
    response.end()
  })
  context.endpoint = await context.outbox.addEndpoint(context.receiver.url, SECRET)
}

/** Closes the endpoint of a test. */
export async function closeFaultyEndpoint({ sender, receiver }: FaultyEndpoint): Promise<void> {
  await sender.close()
  await receiver.close()
}

/** Creates a worker to which the fault rules apply. */
export function openWorker(
  { outbox, sender }: FaultyEndpoint,
  send: SendRequest = sender.send,
): WebhookWorker {
  return outbox.worker(send, { faults: outbox.faults })
}

/** Returns the ids of the received events. */
export function idsOf({ receiver }: FaultyEndpoint): (string | string[] | undefined)[] {
  return receiver.received.map(({ headers }) => headers['webhook-id'])
}

/** Returns a field of all deliveries. */
export async function allOf<F extends keyof WebhookDelivery>(
  { outbox }: FaultyEndpoint,
  field: F,
): Promise<WebhookDelivery[F][]> {
  return (await outbox.deliveries()).map((delivery) => delivery[field])
}
