import { createHash } from 'node:crypto'
import type { Event } from '../domain/events.ts'
import { type DeliveryRequest, deliveryRequest } from './request.ts'

/** One delivery that a handler should get right. */
export interface Trial {
  /** What it is called, such as `bad_signature`. */
  readonly name: string
  /** What is sent, for people. */
  readonly sent: string
  /** Whether the handler should take it, with 2xx, or turn it away, with 4xx. */
  readonly expected: 'taken' | 'refused'
  readonly request: DeliveryRequest
  /** What it means when the handler did otherwise. */
  readonly otherwise: string
}

export interface Battery {
  readonly url: string
  readonly secret: string
  /** An event to make all of them of. */
  readonly event: Event
  readonly newId: () => string
  /** Unix seconds. */
  readonly now: number
}

const STALE_SECONDS = 600
const LARGE_CHARACTERS = 200_000

/** The deliveries that break real handlers, in the order in which they are to be sent. */
export function createBattery(battery: Battery): Trial[] {
  return [...accepted(battery), ...refused(battery)]
}

function accepted(battery: Battery): Trial[] {
  const { event, newId } = battery
  const taken = (
    name: string,
    sent: string,
    { told, otherwise }: { told: object; otherwise: string },
  ): Trial => ({
    name,
    sent,
    expected: 'taken',
    request: signed(battery, { told }),
    otherwise,
  })
  const first = { ...event, id: newId() }
  const older = { ...event, id: newId() }
  const younger = { ...older, id: newId(), sequence: older.sequence + 1, created: older.created + 1 }
  const padded = { ...event.data.object, description: 'x'.repeat(LARGE_CHARACTERS) }
  const object = { ...event.data.object, field_of_tomorrow: { nested: [null] } }
  return [
    taken('valid', 'an event, signed as it should be', {
      told: first,
      otherwise:
        'Check the secret, and that the body is verified as the bytes that came, before any parsing.',
    }),
    {
      ...taken('rotation', 'signatures of a new secret and of yours', {
        told: { ...event, id: newId() },
        otherwise: '',
      }),
      request: signed(battery, {
        told: { ...event, id: newId() },
        secrets: [otherSecret(battery.secret), battery.secret],
      }),
      otherwise: 'Look at every signature of the header: while a secret is rolled there are two.',
    },
    taken('duplicate', 'the first event again, with the same id', {
      told: first,
      otherwise:
        'Answer 2xx to an event that is known already, and do nothing: each may come more than once.',
    }),
    taken('younger_first', 'the younger of two events', {
      told: younger,
      otherwise: 'Do not rely on the order of events: retries come late.',
    }),
    taken('older_second', 'the older of the two after it', {
      told: older,
      otherwise: 'Answer 2xx to an event that is older than what is known: retries come late.',
    }),
    taken('unknown_type', 'a type of event that does not exist yet', {
      told: { ...event, id: newId(), type: 'invoice.teleported' },
      otherwise: 'Answer 2xx to types that are not handled, or they are sent again and again.',
    }),
    taken('unknown_field', 'fields that do not exist yet', {
      told: { ...event, id: newId(), data: { ...event.data, object }, field_of_tomorrow: true },
      otherwise: 'Ignore fields that are not known: they may be added at any time.',
    }),
    taken('large', `an event of ${LARGE_CHARACTERS / 1000} kB`, {
      told: { ...event, id: newId(), data: { ...event.data, object: padded } },
      otherwise: 'Raise the limit of the body: many frameworks stop at 100 kB.',
    }),
  ]
}

function refused(battery: Battery): Trial[] {
  const { event, newId, secret, now } = battery
  const told = () => ({ ...event, id: newId() })
  const [original, unsigned] = [signed(battery, { told: told() }), signed(battery, { told: told() })]
  const refusedTrial = (name: string, sent: string, more: Pick<Trial, 'request' | 'otherwise'>): Trial => ({
    name,
    sent,
    expected: 'refused',
    ...more,
  })
  return [
    refusedTrial('bad_signature', 'an event signed with another secret', {
      request: signed(battery, { told: told(), secrets: [otherSecret(secret)] }),
      otherwise: 'Verify the signature, and answer 400 when it is wrong: anybody can post to this address.',
    }),
    refusedTrial('changed_body', 'an event that was changed after it was signed', {
      request: { ...original, body: original.body.replace('"livemode":false', '"livemode":true') },
      otherwise: 'Verify the signature over the body as it came.',
    }),
    refusedTrial('no_signature', 'an event without any signature', {
      request: { ...unsigned, headers: withoutSignatures(unsigned.headers) },
      otherwise: 'Answer 400 when there is no signature.',
    }),
    refusedTrial('stale_timestamp', `an event signed ${STALE_SECONDS / 60} minutes ago`, {
      request: signed(battery, { told: told(), timestamp: now - STALE_SECONDS }),
      otherwise: 'Refuse signatures older than five minutes, or whoever overheard one can send it for ever.',
    }),
  ]
}

interface Signed {
  readonly told: object
  readonly secrets?: readonly string[]
  readonly timestamp?: number
}

function signed(
  { url, secret, now }: Battery,
  { told, secrets = [secret], timestamp = now }: Signed,
): DeliveryRequest {
  // What a handler must cope with need not be an event that the service would send.
  return deliveryRequest({ url, event: told as Event, secrets, timestamp })
}

function withoutSignatures(headers: DeliveryRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:webhook-|paycli-)/i.test(name)))
}

/** A secret that is not this one. */
function otherSecret(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64').slice(0, 32)}`
}
