import { createHash } from 'node:crypto'
import type { Event } from '../domain/events.ts'
import { createDeliveryRequest, type DeliveryRequest } from './delivery-request.ts'

/** A delivery that a handler should accept or reject. */
export interface HandlerTestCase {
  /** Identifier such as `bad_signature`. */
  readonly name: string
  /** Description of the delivery. */
  readonly sent: string
  /** `taken`: the handler should return 2xx; `refused`: it should return 4xx. */
  readonly expected: 'taken' | 'refused'
  readonly request: DeliveryRequest
  /** Advice for a handler that fails the test. */
  readonly otherwise: string
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

const STALE_SECONDS = 600
const LARGE_CHARACTERS = 200_000

/** Creates deliveries that real handlers often fail, in the order in which to send them. */
export function createHandlerTestCases(options: HandlerTestOptions): HandlerTestCase[] {
  return [...createAcceptedCases(options), ...createRejectedCases(options)]
}

function createAcceptedCases(options: HandlerTestOptions): HandlerTestCase[] {
  const { event, newId, secret } = options
  const createCase = (
    name: string,
    sent: string,
    body: object,
    more: { readonly secrets?: readonly string[]; readonly otherwise: string },
  ): HandlerTestCase => {
    const { otherwise, ...signing } = more
    return { name, sent, expected: 'taken', request: signRequest(options, body, signing), otherwise }
  }
  const first = { ...event, id: newId() }
  const older = { ...event, id: newId() }
  const newer = { ...older, id: newId(), sequence: older.sequence + 1, created: older.created + 1 }
  const padded = { ...event.data.object, description: 'x'.repeat(LARGE_CHARACTERS) }
  const extended = { ...event.data.object, field_of_tomorrow: { nested: [null] } }
  return [
    createCase('valid', 'an event with a valid signature', first, {
      otherwise: 'Check the secret. Verify the signature over the raw body, before any parsing.',
    }),
    createCase('rotation', 'an event signed with a new secret and with yours', withNewId(options), {
      secrets: [deriveOtherSecret(secret), secret],
      otherwise: 'Check every signature in the header: during a secret rotation there are two.',
    }),
    createCase('duplicate', 'the first event again, with the same id', first, {
      otherwise:
        'Return 2xx for an event that is already processed, and ignore it: events may be delivered twice.',
    }),
    createCase('younger_first', 'the newer of two events', newer, {
      otherwise: 'Do not rely on the order of events: retries arrive late.',
    }),
    createCase('older_second', 'the older of the two events after it', older, {
      otherwise: 'Return 2xx for an event that is older than the last one: retries arrive late.',
    }),
    createCase(
      'unknown_type',
      'an event of an unknown type',
      withNewId(options, { type: 'invoice.teleported' }),
      {
        otherwise: 'Return 2xx for event types that you do not handle. Otherwise they are retried.',
      },
    ),
    createCase(
      'unknown_field',
      'an event with unknown fields',
      withNewId(options, { data: { ...event.data, object: extended }, field_of_tomorrow: true }),
      { otherwise: 'Ignore unknown fields: new fields may be added at any time.' },
    ),
    createCase(
      'large',
      `an event of ${LARGE_CHARACTERS / 1000} kB`,
      withNewId(options, { data: { ...event.data, object: padded } }),
      { otherwise: 'Raise the body size limit of your framework, which is often 100 kB.' },
    ),
  ]
}

function createRejectedCases(options: HandlerTestOptions): HandlerTestCase[] {
  const { secret, now } = options
  const original = signRequest(options, withNewId(options))
  const unsigned = signRequest(options, withNewId(options))
  const createCase = (
    name: string,
    sent: string,
    request: DeliveryRequest,
    otherwise: string,
  ): HandlerTestCase => ({ name, sent, expected: 'refused', request, otherwise })
  return [
    createCase(
      'bad_signature',
      'an event signed with another secret',
      signRequest(options, withNewId(options), { secrets: [deriveOtherSecret(secret)] }),
      'Verify the signature and return 400 when it is invalid. Anyone can post to this URL.',
    ),
    createCase(
      'changed_body',
      'an event that was changed after signing',
      { ...original, body: original.body.replace('"livemode":false', '"livemode":true') },
      'Verify the signature over the raw body.',
    ),
    createCase(
      'no_signature',
      'an event without a signature',
      { ...unsigned, headers: withoutSignatures(unsigned.headers) },
      'Return 400 when there is no signature.',
    ),
    createCase(
      'stale_timestamp',
      `an event signed ${STALE_SECONDS / 60} minutes ago`,
      signRequest(options, withNewId(options), { timestamp: now - STALE_SECONDS }),
      'Reject signatures older than five minutes. Otherwise a recorded request can be replayed at any time.',
    ),
  ]
}

function withNewId({ event, newId }: HandlerTestOptions, fields: object = {}): object {
  return { ...event, id: newId(), ...fields }
}

// The body need not be an event that the service would send.
function signRequest(
  { url, secret, now }: HandlerTestOptions,
  body: object,
  { secrets = [secret], timestamp = now }: { secrets?: readonly string[]; timestamp?: number } = {},
): DeliveryRequest {
  return createDeliveryRequest(url, body as Event, secrets, timestamp)
}

function withoutSignatures(headers: DeliveryRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:webhook-|paycli-)/i.test(name)))
}

function deriveOtherSecret(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64').slice(0, 32)}`
}
