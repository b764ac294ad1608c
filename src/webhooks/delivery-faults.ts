import { createHash } from 'node:crypto'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { Fault } from '../domain/faults/faults.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import type { SendResult } from './send.ts'
import { createWebhookSecret } from './sign.ts'

/** Age of the timestamp that an `old_timestamp` fault signs: twice the usual tolerance of verifiers. */
const OLD_TIMESTAMP_SECONDS = 600

/** Returns the time of the signature of an attempt, in Unix seconds. */
export function getSignatureTime(fault: Fault | null, now: number): number {
  return fault?.type === 'old_timestamp' ? now - OLD_TIMESTAMP_SECONDS : now
}

/** Returns the secrets that sign an attempt: the given secrets, or a wrong secret for a `bad_signature`. */
export function getSigningSecrets(fault: Fault | null, secrets: readonly string[]): readonly string[] {
  if (fault?.type !== 'bad_signature') return secrets
  // Derive the wrong secret, so that the same attempt has the same signature in every run.
  const digest = createHash('sha256').update(`wrong ${secrets[0]}`).digest()
  return [createWebhookSecret((count) => digest.subarray(0, count))]
}

interface SendWithFaultOptions {
  readonly delivery: WebhookDelivery
  readonly send: (request: DeliveryRequest, delivery: WebhookDelivery) => Promise<SendResult>
  readonly createRequest: () => DeliveryRequest
  /** Called with the id of each copy after the first request, when the copy has a result. */
  readonly onCopy: (copy: string) => void
}

/** The result of an attempt that was not sent. */
type DroppedResult = Omit<SendResult, 'duration_ms'> & { readonly duration_ms: null }

/** Sends the request of a delivery: once, with the copies of a `duplicate`, or not at all for a `drop_attempt`. */
export function sendWithFault(
  request: DeliveryRequest,
  fault: Fault | null,
  options: SendWithFaultOptions,
): Promise<SendResult | DroppedResult> {
  if (fault?.type === 'drop_attempt') return Promise.resolve(createDroppedResult(fault))
  if (fault?.type === 'duplicate') return sendCopies(request, fault, options)
  return options.send(request, options.delivery)
}

function createDroppedResult({ id }: Fault): DroppedResult {
  return {
    http_status: null,
    error: 'connection',
    error_message: `The fault ${id} (drop_attempt) dropped this attempt: nothing was sent.`,
    duration_ms: null,
    response_body: null,
    response_body_truncated: false,
    retry_after: null,
  }
}

/** Sends a delivery with the copies of a `duplicate` fault, and resolves with the result of the first request. */
async function sendCopies(
  first: DeliveryRequest,
  { copies, order }: Fault,
  { delivery, send, createRequest, onCopy }: SendWithFaultOptions,
): Promise<SendResult> {
  const numbers = Array.from({ length: (copies ?? 2) - 1 }, (_, index) => index + 2)
  const sendCopy = async (number: number) => {
    // A listener sends each id once, so each copy has its own id.
    const copy = { ...delivery, id: `${delivery.id}-${number}` }
    // A copy that fails or is aborted must not undo the result of the first request.
    await send(createRequest(), copy).catch(() => null)
    onCopy(copy.id)
  }
  if (order === 'concurrent') {
    const [result] = await Promise.all([send(first, delivery), ...numbers.map(sendCopy)])
    return result
  }
  const result = await send(first, delivery)
  for (const number of numbers) await sendCopy(number)
  return result
}
