import { createHash } from 'node:crypto'
import type { Event } from '../domain/events/events.ts'
import { createDeliveryRequest, type DeliveryRequest } from './delivery-request.ts'
import {
  createEventDataWithDescription,
  formatLikeOtherSerializers,
  withHeaders,
  withOnlyUnknownSignatureVersions,
  withoutHeaders,
  withPartialSignatures,
  withUnknownSignatureVersions,
  withUpperCaseHeaders,
} from './handler-test-requests.ts'
import { createSignatureHeaders } from './sign.ts'

/** A delivery that a handler should accept or reject. */
export interface HandlerTestCase {
  /** Identifier such as `bad_signature`. */
  readonly name: string
  /** Describes the delivery, such as `an event with a valid signature`. */
  readonly description: string
  /** Whether the handler should return 2xx; otherwise it should return 4xx. */
  readonly shouldAccept: boolean
  /** Whether accepting the delivery is only a warning, because common verifiers accept such deliveries. */
  readonly isWarning: boolean
  readonly request: DeliveryRequest
  /** One sentence: the error of a handler that fails the test, and its fix. */
  readonly advice: string
}

export interface HandlerTestOptions {
  readonly url: string
  readonly secret: string
  /** The event that all deliveries are derived from. */
  readonly event: Event
  readonly newId: () => string
  /** The current time in Unix seconds. */
  readonly now: number
}

type TestCaseRow = readonly [name: string, description: string, request: DeliveryRequest, advice: string]

const SKEW_SECONDS = 600
const SKEW = `${SKEW_SECONDS / 60} minutes`
const LARGE_BYTES = 200_000
const LARGE = `${LARGE_BYTES / 1000} kB`
const STANDARD_HEADER = /^webhook-/i
const PAYCLI_HEADER = /^paycli-/i
// A character of three bytes in UTF-8. Chunk sizes are powers of two, so most chunks end within a character.
const WIDE_CHARACTER = '\u6f22'
const UNICODE_TEXT = 'Zo\u00eb Zoe\u0308 \ufeff\u00a0\uff21 \u2028 \u{1f9fe}'

/** Creates deliveries that real handlers often fail, in the order in which to send them. */
export function createHandlerTestCases(options: HandlerTestOptions): HandlerTestCase[] {
  const first = signEvent(options)
  const accepted = [...signatureRows(options, first), ...eventRows(options, first), ...bodyRows(options)]
  const rejected = [...forgedRows(options), ...replayedRows(options)]
  return [
    ...toTestCases(accepted, { shouldAccept: true, isWarning: false }),
    ...toTestCases(rejected, { shouldAccept: false, isWarning: false }),
    ...toTestCases(warningRows(options), { shouldAccept: false, isWarning: true }),
  ]
}

function toTestCases(
  rows: readonly TestCaseRow[],
  kind: Pick<HandlerTestCase, 'shouldAccept' | 'isWarning'>,
): HandlerTestCase[] {
  return rows.map(([name, description, request, advice]) => ({ name, description, ...kind, request, advice }))
}

function signatureRows(options: HandlerTestOptions, first: DeliveryRequest): readonly TestCaseRow[] {
  const { secret } = options
  const other = deriveOtherSecret(secret)
  const third = deriveOtherSecret(other)
  const signWith = (...secrets: readonly string[]) => signEvent(options, {}, { secrets })
  const rotationAdvice = 'compare with every signature, because there are several during a secret rotation.'
  return [
    [
      'valid',
      'an event with a valid signature',
      first,
      'The handler rejects a valid signature: compare its secret with that of this check (--secret, else that of the server), and verify the raw body before any parsing.',
    ],
    [
      'rotation',
      'an event signed with a new secret and with yours',
      signWith(other, secret),
      `The handler ignores the last of two signatures: ${rotationAdvice}`,
    ],
    [
      'rotation_first',
      'an event signed with your secret and with two others',
      signWith(secret, other, third),
      `The handler ignores the first of three signatures: ${rotationAdvice}`,
    ],
    [
      'rotation_middle',
      'an event with your signature between others and unknown versions',
      withUnknownSignatureVersions(signWith(other, secret, third)),
      'The handler ignores a v1 signature between others: compare with every v1 signature, and skip other versions.',
    ],
    [
      'header_case',
      'an event with header names in upper case',
      withUpperCaseHeaders(signEvent(options)),
      'The handler depends on the letter case of header names: read them case-insensitively, because proxies change it.',
    ],
  ]
}

function eventRows(options: HandlerTestOptions, first: DeliveryRequest): readonly TestCaseRow[] {
  const { event, newId } = options
  const older = { ...event, id: newId() }
  const newer = { ...older, id: newId(), sequence: older.sequence + 1, created: older.created + 1 }
  const extended = { ...event.data.object, unknown_field: { nested: [null] } }
  const unknownFields = { data: { ...event.data, object: extended }, unknown_field: true }
  return [
    [
      'duplicate',
      'the first event again, with the same id',
      first,
      'The handler rejects an event that it has processed: return 2xx and ignore it, because events may be delivered twice.',
    ],
    [
      'younger_first',
      'the newer of two events',
      signEvent(options, newer),
      'The handler rejects an event before an older one arrives: do not rely on the order of events, because retries arrive late.',
    ],
    [
      'older_second',
      'the older of the two events after it',
      signEvent(options, older),
      'The handler rejects an event that is older than the last one: return 2xx, because retries arrive late.',
    ],
    [
      'unknown_type',
      'an event of an unknown type',
      signEvent(options, { type: 'invoice.teleported' }),
      'The handler rejects an unknown event type: return 2xx for event types that you do not handle, or they are retried.',
    ],
    [
      'unknown_field',
      'an event with unknown fields',
      signEvent(options, unknownFields),
      'The handler rejects unknown fields: ignore them, because new fields may be added at any time.',
    ],
  ]
}

function bodyRows(options: HandlerTestOptions): readonly TestCaseRow[] {
  const describe = (description: string) =>
    signEvent(options, createEventDataWithDescription(options.event, description))
  const wide = WIDE_CHARACTER.repeat(LARGE_BYTES / Buffer.byteLength(WIDE_CHARACTER))
  return [
    [
      'large',
      `an event of ${LARGE}`,
      describe('x'.repeat(LARGE_BYTES)),
      'The handler rejects a large body: raise the body size limit of your framework, which is often 100 kB.',
    ],
    [
      'large_unicode',
      `an event of ${LARGE} with a multi-byte text`,
      describe(wide),
      'The handler decodes each chunk of the body separately: concatenate the bytes of all chunks before decoding them.',
    ],
    [
      'unicode',
      'an event with accents, an emoji and U+FEFF',
      describe(UNICODE_TEXT),
      'The handler changes characters of the body: verify its bytes, without another charset, normalization or removal of characters.',
    ],
    [
      'formatting',
      'a pretty-printed event with escapes and unusual numbers',
      signBody(options, formatLikeOtherSerializers),
      'The handler verifies a body that it has parsed and serialized again: verify the bytes as received, before parsing.',
    ],
    [
      'whitespace',
      'an event between spaces and line breaks',
      signBody(options, (event) => ` \r\n${JSON.stringify(event)}\n \r\n\n`),
      'The handler trims the body, converts its line breaks or serializes it again: verify the bytes as received.',
    ],
  ]
}

function forgedRows(options: HandlerTestOptions): readonly TestCaseRow[] {
  const signed = signEvent(options)
  const empty = { 'webhook-signature': '', 'Paycli-Signature': `t=${options.now}` }
  return [
    [
      'bad_signature',
      'an event signed with another secret',
      signEvent(options, {}, { secrets: [deriveOtherSecret(options.secret)] }),
      'The handler accepts a signature of another secret: verify it and return 400 when it is invalid, because anyone can post to this URL.',
    ],
    [
      'partial_signature',
      'an event with parts of a valid signature',
      withPartialSignatures(signEvent(options)),
      'The handler compares only a part of the signature: compare all of it, in constant time.',
    ],
    [
      'changed_body',
      'an event that was changed after signing',
      { ...signed, body: signed.body.replace('"livemode":false', '"livemode":true') },
      'The handler accepts a body that does not match its signature: verify the signature over the raw body.',
    ],
    [
      'no_signature',
      'an event without a signature',
      withoutHeaders(withoutHeaders(signEvent(options), STANDARD_HEADER), PAYCLI_HEADER),
      'The handler accepts an event without a signature: return 400 when the signature header is missing.',
    ],
    [
      'empty_signature',
      'an event with an empty signature header',
      withHeaders(signEvent(options), empty),
      'The handler accepts an empty signature header: return 400 unless one signature matches.',
    ],
    [
      'unknown_version',
      'an event with signatures of an unknown version only',
      withOnlyUnknownSignatureVersions(signEvent(options)),
      'The handler accepts signatures of any version: accept v1 only, because another version has another meaning.',
    ],
  ]
}

function replayedRows(options: HandlerTestOptions): readonly TestCaseRow[] {
  const signAt = (timestamp: number) => signEvent(options, {}, { timestamp })
  const changedId = withHeaders(signEvent(options), { 'webhook-id': options.newId() })
  return [
    [
      'changed_id',
      'an event with another webhook-id than the signed one',
      withoutHeaders(changedId, PAYCLI_HEADER),
      'The handler does not verify webhook-id: sign the header with the timestamp and the body, or a replay gets a new id.',
    ],
    [
      'stale_timestamp',
      `an event signed ${SKEW} ago`,
      signAt(options.now - SKEW_SECONDS),
      'The handler accepts an old signature: reject those older than five minutes, or a recorded request can be replayed.',
    ],
    [
      'future_timestamp',
      `an event with a webhook-signature ${SKEW} in the future`,
      withoutHeaders(signAt(options.now + SKEW_SECONDS), PAYCLI_HEADER),
      'The handler accepts a webhook-timestamp in the future: reject timestamps more than five minutes ahead, or a recorded request can be replayed for longer.',
    ],
  ]
}

// Signatures in the future cause warnings, because the packages of Stripe only limit the age of a signature.
function warningRows(options: HandlerTestOptions): readonly TestCaseRow[] {
  const signed = signEvent(options, {}, { timestamp: options.now + SKEW_SECONDS })
  return [
    [
      'future_paycli',
      `an event with a Paycli-Signature ${SKEW} in the future`,
      withoutHeaders(signed, STANDARD_HEADER),
      'The handler accepts a Paycli-Signature in the future, as the stripe package does: reject a t more than five minutes ahead, or verify webhook-signature.',
    ],
  ]
}

/** Signs a copy of the event with a new id and other fields. The copy need not be a valid event. */
function signEvent(
  { url, secret, event, newId, now }: HandlerTestOptions,
  fields: object = {},
  { secrets = [secret], timestamp = now }: { secrets?: readonly string[]; timestamp?: number } = {},
): DeliveryRequest {
  return createDeliveryRequest(url, { ...event, id: newId(), ...fields }, { secrets, timestamp })
}

/** Signs a copy of the event with a new id, in a format that deliveries never use. */
function signBody(options: HandlerTestOptions, format: (event: Event) => string): DeliveryRequest {
  const { secret, now, newId } = options
  const id = newId()
  const body = format({ ...options.event, id })
  const signature = createSignatureHeaders({ id, secrets: [secret], body, timestamp: now })
  return { ...withHeaders(signEvent(options, { id }), signature), body }
}

function deriveOtherSecret(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64').slice(0, 32)}`
}
