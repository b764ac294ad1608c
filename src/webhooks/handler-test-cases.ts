import { createHash } from 'node:crypto'
import type { Event } from '../domain/events.ts'
import { createDeliveryRequest, type DeliveryRequest } from './delivery-request.ts'

/** A delivery that a handler should accept or reject. */
export interface HandlerTestCase {
  /** Identifier such as `bad_signature`. */
  readonly name: string
  /** Describes the delivery, such as `an event with a valid signature`. */
  readonly description: string
  /** Whether the handler should return 2xx; otherwise it should return 4xx. */
  readonly shouldAccept: boolean
  readonly request: DeliveryRequest
  /** Advice for a handler that fails the test. */
  readonly advice: string
}

export interface HandlerTestOptions {
  readonly url: string
  readonly secret: string
  /** The event that all deliveries are derived from. */
  readonly event: Event
  readonly newId: () => string
  /** Unix seconds. */
  readonly now: number
}

type TestCaseRow = readonly [name: string, description: string, request: DeliveryRequest, advice: string]

const STALE_SECONDS = 600
const LARGE_CHARACTERS = 200_000

/** Creates deliveries that real handlers often fail, in the order in which to send them. */
export function createHandlerTestCases(options: HandlerTestOptions): HandlerTestCase[] {
  const toTestCases = (rows: readonly TestCaseRow[], shouldAccept: boolean) =>
    rows.map(([name, description, request, advice]) => ({ name, description, shouldAccept, request, advice }))
  return [...toTestCases(acceptedRows(options), true), ...toTestCases(rejectedRows(options), false)]
}

function acceptedRows(options: HandlerTestOptions): readonly TestCaseRow[] {
  const { event, newId, secret } = options
  const { object } = event.data
  const sign = (fields: object, secrets?: readonly string[]) => signEvent(options, fields, { secrets })
  const first = sign({})
  const older = { ...event, id: newId() }
  const newer = { ...older, id: newId(), sequence: older.sequence + 1, created: older.created + 1 }
  const padded = { ...object, description: 'x'.repeat(LARGE_CHARACTERS) }
  const extended = { ...object, unknown_field: { nested: [null] } }
  const unknownFields = { data: { ...event.data, object: extended }, unknown_field: true }
  const orderReason = 'retries arrive late.'
  const signatureAdvice = 'Check the secret. Verify the signature over the raw body, before any parsing.'
  const rotationAdvice = 'Check every signature in the header: during a secret rotation there are two.'
  const duplicateAdvice =
    'Return 2xx for an event that is already processed, and ignore it: events may be delivered twice.'
  const typeAdvice = 'Return 2xx for event types that you do not handle. Otherwise they are retried.'
  const fieldAdvice = 'Ignore unknown fields: new fields may be added at any time.'
  const sizeAdvice = 'Raise the body size limit of your framework, which is often 100 kB.'
  const olderAdvice = `Return 2xx for an event that is older than the last one: ${orderReason}`
  const size = `${LARGE_CHARACTERS / 1000} kB`
  const rotated = sign({}, [deriveOtherSecret(secret), secret])
  return [
    ['valid', 'an event with a valid signature', first, signatureAdvice],
    ['rotation', 'an event signed with a new secret and with yours', rotated, rotationAdvice],
    ['duplicate', 'the first event again, with the same id', first, duplicateAdvice],
    [
      'younger_first',
      'the newer of two events',
      sign(newer),
      `Do not rely on the order of events: ${orderReason}`,
    ],
    ['older_second', 'the older of the two events after it', sign(older), olderAdvice],
    ['unknown_type', 'an event of an unknown type', sign({ type: 'invoice.teleported' }), typeAdvice],
    ['unknown_field', 'an event with unknown fields', sign(unknownFields), fieldAdvice],
    ['large', `an event of ${size}`, sign({ data: { ...event.data, object: padded } }), sizeAdvice],
  ]
}

function rejectedRows(options: HandlerTestOptions): readonly TestCaseRow[] {
  const otherSecrets = [deriveOtherSecret(options.secret)]
  const { headers, ...unsigned } = signEvent(options)
  const signed = signEvent(options)
  const changed = { ...signed, body: signed.body.replace('"livemode":false', '"livemode":true') }
  const stale = signEvent(options, {}, { timestamp: options.now - STALE_SECONDS })
  return [
    [
      'bad_signature',
      'an event signed with another secret',
      signEvent(options, {}, { secrets: otherSecrets }),
      'Verify the signature and return 400 when it is invalid. Anyone can post to this URL.',
    ],
    [
      'changed_body',
      'an event that was changed after signing',
      changed,
      'Verify the signature over the raw body.',
    ],
    [
      'no_signature',
      'an event without a signature',
      { ...unsigned, headers: withoutSignatures(headers) },
      'Return 400 when there is no signature.',
    ],
    [
      'stale_timestamp',
      `an event signed ${STALE_SECONDS / 60} minutes ago`,
      stale,
      'Reject signatures older than five minutes. Otherwise a recorded request can be replayed at any time.',
    ],
  ]
}

/** Signs a copy of the event with a new id and other fields. The copy need not be a valid event. */
function signEvent(
  { url, secret, event, newId, now }: HandlerTestOptions,
  fields: object = {},
  {
    secrets = [secret],
    timestamp = now,
  }: { secrets?: readonly string[] | undefined; timestamp?: number } = {},
): DeliveryRequest {
  return createDeliveryRequest(url, { ...event, id: newId(), ...fields }, { secrets, timestamp })
}

function withoutSignatures(headers: DeliveryRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:webhook-|paycli-)/i.test(name)))
}

function deriveOtherSecret(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64').slice(0, 32)}`
}
