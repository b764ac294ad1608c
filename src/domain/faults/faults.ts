import type { DeclineCode } from '../cards/declines.ts'
import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { listExpiryErrors } from '../time/unix-seconds.ts'

/** The types of faults by their kind. */
export const FAULT_TYPES_BY_KIND = {
  request: [
    'delay_request',
    'delay_response',
    'error',
    'drop_request',
    'drop_response',
    'truncate_response',
    'slow_response',
  ],
  delivery: [
    'duplicate',
    'delay_delivery',
    'hold',
    'swap',
    'overlap',
    'early',
    'drop_attempt',
    'bad_signature',
    'old_timestamp',
  ],
  payment: ['decline', 'issuer_unavailable', 'processing'],
} as const

/** The kinds of faults: on API requests, webhook deliveries or payments. */
export type FaultKind = keyof typeof FAULT_TYPES_BY_KIND

export type FaultType = (typeof FAULT_TYPES_BY_KIND)[FaultKind][number]

const FAULT_KINDS = Object.keys(FAULT_TYPES_BY_KIND) as FaultKind[]
const FAULT_TYPES: readonly FaultType[] = Object.values(FAULT_TYPES_BY_KIND).flat()

/** Returns the kind of a type of fault. */
export function getFaultKind(type: FaultType): FaultKind {
  const kind = FAULT_KINDS.find((one) => (FAULT_TYPES_BY_KIND[one] as readonly FaultType[]).includes(type))
  if (kind === undefined) throw new Error(`no kind of fault has the type '${type}'`)
  return kind
}

/** The statuses that the fault `error` can have. */
export const FAULT_HTTP_STATUSES = [429, 500, 502, 503] as const
const DUPLICATE_ORDERS = ['sequential', 'concurrent'] as const
const DECLINES = [
  'generic_decline',
  'insufficient_funds',
  'card_velocity_exceeded',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
  'do_not_retry',
] as const satisfies readonly DeclineCode[]

const MAX_DELAY_MS = 60_000

/** The options of each type with their defaults; a type that is missing here has no options. */
export const DEFAULT_FAULT_OPTIONS: Readonly<Partial<Record<FaultType, Partial<ResolvedFaultOptions>>>> = {
  delay_request: { delay_ms: 1000 },
  delay_response: { delay_ms: 1000 },
  error: { http_status: 500, retry_after: null },
  slow_response: { bytes_per_second: 100 },
  duplicate: { copies: 2, order: 'sequential' },
  delay_delivery: { delay_ms: 5000 },
  decline: { decline_code: 'generic_decline' },
  processing: { delay_ms: 3000 },
}

const matchParams = p.shape(
  {},
  {
    operation: p.text(
      100,
      'For faults on requests: the operation, such as `payment_sessions.create` or `customers.*`.',
    ),
    event_type: p.text(
      100,
      'For faults on deliveries: the event type, such as `invoice.paid` or `payment.*`.',
    ),
    webhook_endpoint: p.id('For faults on deliveries: the webhook endpoint.'),
    customer: p.id('The customer of the payment, of the event, or in the parameters of the request.'),
  },
  'The requests, deliveries or payments to which the fault applies; omitted fields match everything.',
)

const faultOptions = {
  delay_ms: p.integer(
    { min: 1, max: MAX_DELAY_MS },
    'For delays and `processing`: their duration in milliseconds (default: 1000, 5000 for `delay_delivery`, 3000 for `processing`).',
  ),
  http_status: p.choice(FAULT_HTTP_STATUSES, 'For `error`: the status of the response (default: 500).'),
  retry_after: p.integer(
    { min: 0, max: 86_400 },
    'For `error`: the `Retry-After` header, in seconds (default: none).',
  ),
  bytes_per_second: p.integer(
    { min: 1, max: 1_000_000 },
    'For `slow_response`: the speed of the response body, in bytes per second (default: 100).',
  ),
  copies: p.integer(
    { min: 2, max: 10 },
    'For `duplicate`: the total number of times that the event is sent (default: 2).',
  ),
  order: p.choice(
    DUPLICATE_ORDERS,
    'For `duplicate`: whether the copies are sent one after the other or at the same time (default: `sequential`).',
  ),
  decline_code: p.choice(DECLINES, 'For `decline`: the decline code (default: `generic_decline`).'),
}

/** The parameters of a new fault rule. */
export const faultParams = p.shape(
  { type: p.choice(FAULT_TYPES, 'The fault.') },
  {
    match: matchParams,
    ...faultOptions,
    skip: p.integer({ min: 0 }, 'The number of matches before the fault applies (default: 0).'),
    times: p.integer({ min: 1 }, 'The number of matches to which the fault applies (default: unlimited).'),
    probability: p.integer(
      { min: 1, max: 100 },
      'The percentage of matches to which the fault applies, chosen by `seed` (default: 100).',
    ),
    seed: p.text(
      100,
      'The seed of the choice: the same seed selects the same matches (default: the id of the fault).',
    ),
    expires_at: p.timestamp('Time at which the fault ends, in Unix seconds (default: never).'),
  },
)

export type FaultParams = s.ValueOf<typeof faultParams>

/** Returns the value of an option that is written as text: a number if the parameter is a number, otherwise the text. */
export function parseFaultOption(name: string, text: string): string | number {
  return faultParams.properties[name]?.type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** The options of a fault with all defaults; null where the type has no such option. */
export type ResolvedFaultOptions = {
  readonly [K in keyof typeof faultOptions]: s.ValueOf<(typeof faultOptions)[K]> | null
}

/** The schema of a fault rule. */
export const faultSchema = s.resourceObject(
  'fault',
  'A fault that the server simulates: on API requests, on webhook deliveries or on payments. A fault changes requests, responses and deliveries, but not stored data. A fault on a payment replaces the decision of the simulated issuer. All times are in real time.',
  {
    type: s.enumOf(FAULT_TYPES, 'The fault.'),
    match: s.object(
      {
        operation: s.nullable(s.text('The operation as a glob; null matches every operation.')),
        event_type: s.nullable(s.text('The event type as a glob; null matches every type.')),
        webhook_endpoint: s.nullable(s.id('The webhook endpoint; null matches every endpoint.')),
        customer: s.nullable(s.id('The customer; null matches every customer.')),
      },
      'The requests, deliveries or payments to which the fault applies.',
    ),
    delay_ms: s.nullable(s.integer(1, 'The duration in milliseconds; null for a fault without a duration.')),
    http_status: s.nullable(s.enumOf(FAULT_HTTP_STATUSES, 'The status of an `error`; otherwise null.')),
    retry_after: s.nullable(
      s.integer(0, 'The `Retry-After` header of an `error`, in seconds; otherwise null.'),
    ),
    bytes_per_second: s.nullable(s.integer(1, 'Bytes per second of a `slow_response`; otherwise null.')),
    copies: s.nullable(s.integer(2, 'The number of times that a `duplicate` is sent; otherwise null.')),
    order: s.nullable(
      s.enumOf(DUPLICATE_ORDERS, 'The order of the copies of a `duplicate`; otherwise null.'),
    ),
    decline_code: s.nullable(s.enumOf(DECLINES, 'The decline code of a `decline`; otherwise null.')),
    skip: s.integer(0, 'The number of matches before the fault applies.'),
    times: s.nullable(
      s.integer(1, 'The number of matches to which the fault applies; null for all matches.'),
    ),
    probability: s.integer(1, 'The percentage of matches to which the fault applies.'),
    seed: s.text('The seed that selects the matches to which the fault applies.'),
    expires_at: s.nullable(s.timestamp('Time at which the fault ends; null if it does not end.')),
    matched: s.integer(0, 'The number of matches so far.'),
    applied: s.integer(0, 'The number of matches to which the fault was applied.'),
  },
)

export type Fault = s.ValueOf<typeof faultSchema>

/** The schema of a deleted fault. */
export const deletedFaultSchema = s.deletedObject('fault', 'A deleted fault.')

/** The schema of the response to the deletion of all faults. */
export const allFaultsDeletionSchema = s.titledObject(
  'fault_deletion',
  'The result of deleting all faults.',
  {
    object: s.constant('fault_deletion', 'The type of the object.'),
    deleted: s.integer(0, 'The number of deleted faults.'),
    released: s.integer(0, 'The number of deliveries that the faults delayed or held, which are sent now.'),
  },
)

/** Maximum number of faults of a sandbox, because each match reads all faults. */
export const MAX_FAULTS = 100

/** Throws when a sandbox with `existing` faults cannot have another fault. */
export function requireFaultCapacity(existing: number): void {
  if (existing < MAX_FAULTS) return
  const message = `Cannot add another fault: the limit of ${MAX_FAULTS} is reached. Delete all faults with DELETE /v1/test_helpers/faults, or one fault with its id.`
  throw new DomainError('fault_limit', message)
}

/** Returns the validation errors of a fault that its schema cannot express, such as options without an effect. */
export function listFaultErrors(fields: Unvalidated<FaultParams>, wallNow: number): ValidationError[] {
  const errors = listExpiryErrors(fields.expires_at, wallNow)
  const { type } = fields
  if (!FAULT_TYPES.includes(type as FaultType)) return errors
  return [...errors, ...validateOptions(fields), ...validateMatch(fields)]
}

function validateOptions(fields: Unvalidated<FaultParams>): ValidationError[] {
  const type = fields.type as FaultType
  const known = Object.keys(DEFAULT_FAULT_OPTIONS[type] ?? {})
  const given = Object.keys(faultOptions).filter(
    (name) => (fields as Record<string, unknown>)[name] !== undefined,
  )
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const expected =
        known.length === 0 ? `${type} has no options` : `${type} has the options ${known.join(', ')}`
      return {
        code: 'parameters_exclusive',
        param: name,
        message: `${name} has no effect: ${expected}. Omit it.`,
      }
    })
}

const MATCHES_BY_KIND: Readonly<Record<FaultKind, readonly string[]>> = {
  request: ['operation', 'customer'],
  delivery: ['event_type', 'webhook_endpoint', 'customer'],
  payment: ['customer'],
}

function validateMatch({ type, match }: Unvalidated<FaultParams>): ValidationError[] {
  if (typeof match !== 'object' || match === null) return []
  const kind = getFaultKind(type as FaultType)
  const known = MATCHES_BY_KIND[kind]
  return Object.keys(match)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `match[${name}] has no effect: ${String(type)} is a fault on ${NOUNS[kind]}, which are matched by ${known.join(', ')}. Omit it.`
      return { code: 'parameters_exclusive', param: `match[${name}]`, message }
    })
}

const NOUNS: Readonly<Record<FaultKind, string>> = {
  request: 'requests',
  delivery: 'deliveries',
  payment: 'payments',
}

/** Creates a fault rule. */
export function createFault(
  fields: FaultParams,
  { newId, wallNow }: Pick<RuleContext, 'newId' | 'wallNow'>,
): Creation<Fault> {
  const id = newId('flt_')
  const { type, match = {}, skip = 0, times = null, probability = 100, seed = id, expires_at = null } = fields
  return toCreation(null, {
    ...({ id, object: 'fault', created: wallNow, livemode: false, type } as const),
    match: {
      operation: match.operation ?? null,
      event_type: match.event_type ?? null,
      webhook_endpoint: match.webhook_endpoint ?? null,
      customer: match.customer ?? null,
    },
    ...addFaultDefaults(fields),
    ...{ skip, times, probability, seed, expires_at, matched: 0, applied: 0 },
  })
}

const NO_OPTIONS = Object.fromEntries(
  Object.keys(faultOptions).map((name) => [name, null]),
) as ResolvedFaultOptions

/** Returns the options of a fault with the defaults of its type. */
export function addFaultDefaults({
  type,
  ...fields
}: Pick<FaultParams, 'type'> & Partial<ResolvedFaultOptions>): ResolvedFaultOptions {
  const options: ResolvedFaultOptions = { ...NO_OPTIONS, ...DEFAULT_FAULT_OPTIONS[type] }
  const given = Object.entries(fields).filter(([name, value]) => name in options && value !== undefined)
  return { ...options, ...Object.fromEntries(given) }
}
