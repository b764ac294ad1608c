import { type Change, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { listExpiryErrors } from '../time/unix-seconds.ts'

/** The id of the sandbox that always exists. */
export const DEFAULT_SANDBOX = 'default'

/** The storage of the records of a sandbox. With `memory`, the records are lost when the process stops. */
export const SANDBOX_STORAGES = ['memory', 'durable'] as const

/** The contents of a sandbox after a reset: `origin` for the contents after its creation, `empty` for no records. */
export const RESET_TARGETS = ['origin', 'empty'] as const

export type SandboxStorage = (typeof SANDBOX_STORAGES)[number]

/** The schema of a sandbox for the API. Its address and its counts are not stored. */
export const sandboxSchema = s.resourceObject(
  'sandbox',
  'An isolated environment of the server with its own objects, events, API keys, webhook endpoints and test clocks. All times are in real time.',
  {
    name: s.nullable(s.text('Your own name for the sandbox; null if not given.')),
    status: s.enumOf(
      ['active', 'expired'],
      '`active` until the contents are deleted at `expires_at`. After a jump of the clock or a long pause of the server, the deletion is a day later.',
    ),
    storage: s.enumOf(
      SANDBOX_STORAGES,
      'The storage of the contents: `memory` until the server stops, `durable` in the database of the server.',
    ),
    from: s.nullable(s.text('The copied sandbox or saved state; null if the sandbox began empty.')),
    expires_at: s.nullable(
      s.timestamp('Time at which the contents are deleted; null if the sandbox does not expire.'),
    ),
    reset_at: s.nullable(
      s.timestamp('Time at which the sandbox was last reset; null before the first reset.'),
    ),
    checkout_url: s.url('The address of the hosted pages of the sandbox.'),
    objects: s.integer(0, 'The number of objects, without events, API keys and request logs.'),
    events: s.integer(0, 'The number of events.'),
  },
)

/** A sandbox as the API shows it. */
export type SandboxView = s.ValueOf<typeof sandboxSchema>

/** The numbers of objects and events in a sandbox. */
export type SandboxCounts = Pick<SandboxView, 'objects' | 'events'>

/** A sandbox as the default sandbox stores it. */
export type Sandbox = Omit<SandboxView, 'checkout_url' | keyof SandboxCounts>

/** The schema of a new sandbox with its secrets. */
export const newSandboxSchema = s.withSecrets(
  sandboxSchema,
  'new_sandbox',
  'A new sandbox with its API key and its webhook secret, which no other response contains.',
  {
    api_key: s.text('A secret API key of the sandbox; begins with `paysk_test_`.'),
    webhook_secret: s.text(
      'The secret that signs events for `paycli listen` in the sandbox; begins with `whsec_`.',
    ),
  },
)

/** The schema of a deleted sandbox. */
export const deletedSandboxSchema = s.deletedObject('sandbox', 'A deleted sandbox.')

const NAME = 'Name of the sandbox, up to 100 characters. Several sandboxes may have the same name.'
const EXPIRY = 'Expiry in Unix seconds: the contents are then deleted, and the keys become invalid'

/** The parameters of a new sandbox. */
export const sandboxParams = p.shape(
  {},
  {
    name: p.text(100, NAME),
    from: p.id(
      'The source of the copy: `default`, the id of a sandbox, or the name of a saved state (default: an empty sandbox). Requires a secret key.',
    ),
    storage: p.choice(
      SANDBOX_STORAGES,
      'The storage of the contents: `memory` until the server stops, `durable` in the database of the server (default: `durable`, or `memory` with `serve --memory`).',
    ),
    expires_at: p.timestamp(`${EXPIRY} (default: never).`),
  },
)

/** The parameters of an update of a sandbox. */
export const sandboxUpdateParams = p.shape(
  { id: p.id('The id of the sandbox, or `current` for the sandbox of the API key.') },
  { name: s.nullable(p.text(100, NAME)), expires_at: s.nullable(p.timestamp(`${EXPIRY}.`)) },
)

export type SandboxParams = s.ValueOf<typeof sandboxParams>
type SandboxUpdateFields = Omit<s.ValueOf<typeof sandboxUpdateParams>, 'id'>

/** The name of a saved state, which is also a file name. */
export const SAVED_STATE_NAME_PATTERN = /^\w[\w.-]{0,99}$/

/** Returns the validation errors of a new sandbox. `storages` are the storages that the database of the server supports. */
export function listSandboxErrors(
  { from, storage, expires_at }: Unvalidated<SandboxParams>,
  { wallNow, storages }: { readonly wallNow: number; readonly storages: readonly SandboxStorage[] },
): ValidationError[] {
  const errors = listExpiryErrors(expires_at, wallNow)
  if (typeof from === 'string' && !SAVED_STATE_NAME_PATTERN.test(from)) {
    const message = `Invalid from '${from}': expected \`default\`, the id of a sandbox, or the name of a saved state, which has up to 100 letters, digits, dots, dashes and underscores.`
    errors.push({ code: 'parameter_invalid_string', param: 'from', message })
  }
  if (typeof storage === 'string' && !storages.includes(storage)) {
    const message = `Unavailable storage '${storage}': this server supports only ${storages.join(', ')}. ${STORAGE_FIXES[storage]}`
    errors.push({ code: 'sandbox_storage_unavailable', param: 'storage', message })
  }
  return errors
}

const STORAGE_FIXES: Readonly<Record<SandboxStorage, string>> = {
  durable: 'Omit storage, or start the server without --memory.',
  memory:
    'Several servers share a PostgreSQL database, so a sandbox cannot be in the memory of one server. Omit storage.',
}

/** Throws `insufficient_scope` for a copy, whose secret key may read objects that the restricted key may not read. */
export function requireNoCopySource({ from }: SandboxParams): void {
  if (from === undefined) return
  throw new DomainError(
    'insufficient_scope',
    `This restricted key cannot copy '${from}': the secret key of the copy could read all of its objects. Use a secret key, or omit from to create an empty sandbox.`,
    { param: 'from' },
  )
}

/** Creates a sandbox. `storage` is the default storage of the sandbox's contents. */
export function createSandboxRecord(
  fields: SandboxParams,
  storage: SandboxStorage,
  { newId, wallNow }: Pick<RuleContext, 'newId' | 'wallNow'>,
): Sandbox {
  return {
    id: newId('sbx_'),
    object: 'sandbox',
    created: wallNow,
    livemode: false,
    name: fields.name ?? null,
    status: 'active',
    storage: fields.storage ?? storage,
    from: fields.from ?? null,
    expires_at: fields.expires_at ?? null,
    reset_at: null,
  }
}

/**
 * Returns the record of a durable sandbox before its contents are written. The status is `expired`, so that no request
 * uses the sandbox. The next start of a server deletes the contents if the creation was interrupted.
 */
export function toUnfinishedSandbox(sandbox: Sandbox): Sandbox {
  return { ...sandbox, status: 'expired', expires_at: sandbox.created }
}

/**
 * Returns whether the creation of a sandbox is incomplete. No other sandbox has an expiry at the time of its creation.
 */
export function isUnfinishedSandbox({ status, created, expires_at }: Sandbox): boolean {
  return status === 'expired' && expires_at !== null && expires_at <= created
}

/** Marks the creation of an unfinished sandbox as interrupted, so that its process can no longer finish it. */
export function markCreationInterrupted(begun: Sandbox): ObjectUpdate<Sandbox> {
  return toUpdate<Sandbox>(null, begun, { ...begun, expires_at: null })
}

/**
 * Returns the change that stores the record of a complete sandbox. `begun` is its unfinished record; throws for a
 * durable sandbox without `begun`.
 */
export function finishSandboxCreation(sandbox: Sandbox, begun: Sandbox | null): Change<Sandbox> {
  if (sandbox.storage === 'memory') return toCreation(null, sandbox)
  if (begun !== null && isUnfinishedSandbox(begun)) return toUpdate<Sandbox>(null, begun, sandbox)
  throw new DomainError(
    'sandbox_unexpected_state',
    `Cannot create sandbox '${sandbox.id}': it was deleted before it was complete, by another request or by the start of another server. Repeat the request.`,
  )
}

/** Changes the name and expiry of a sandbox. Throws for an expired sandbox. */
export function updateSandbox(sandbox: Sandbox, fields: SandboxUpdateFields): ObjectUpdate<Sandbox> {
  requireActiveSandbox(sandbox, 'update')
  return toUpdate<Sandbox>(null, sandbox, { ...sandbox, ...fields })
}

/** Stores the time of a reset in Unix seconds. Throws for an expired sandbox. */
export function markSandboxReset(sandbox: Sandbox, wallNow: number): ObjectUpdate<Sandbox> {
  requireActiveSandbox(sandbox, 'reset')
  return toUpdate<Sandbox>(null, sandbox, { ...sandbox, reset_at: wallNow })
}

/** Marks a sandbox as expired. */
export function expireSandbox(sandbox: Sandbox): ObjectUpdate<Sandbox> {
  return toUpdate<Sandbox>(null, sandbox, { ...sandbox, status: 'expired' })
}

/** Throws when a sandbox is expired. */
export function requireActiveSandbox({ id, status }: Sandbox, verb: string): void {
  if (status === 'active') return
  throw new DomainError(
    'sandbox_unexpected_state',
    `Cannot ${verb} sandbox '${id}': it has expired. Create a new one instead.`,
  )
}

/** Throws for the default sandbox, which cannot be changed while the server runs. */
export function requireOtherThanDefault(id: string, verb: string): void {
  if (id !== DEFAULT_SANDBOX) return
  const reason =
    verb === 'update'
      ? 'it always exists, without a name and an expiry. Create a sandbox of your own with POST /v1/sandboxes.'
      : 'it always exists. To empty it, stop the server and start it with paycli serve --reset.'
  throw new DomainError('sandbox_protected', `Cannot ${verb} the sandbox 'default': ${reason}`)
}

/**
 * Throws unless a key of the sandbox `current` may access the sandbox `id`; only `default` can access other sandboxes.
 */
export function requireSandboxAccess(current: string, id: string | null): void {
  if (current === DEFAULT_SANDBOX || id === current) return
  throw new DomainError(
    'sandbox_key_not_allowed',
    `This API key belongs to the sandbox '${current}', so it can only retrieve, update and reset that sandbox. Use the id 'current', or a key of the default sandbox.`,
  )
}

/** Throws when a key of the sandbox itself would remove or postpone its expiry. */
export function requireNoLaterExpiry({ id, expires_at }: Sandbox, fields: SandboxUpdateFields): void {
  const next = fields.expires_at
  if (next === undefined || expires_at === null || (next !== null && next <= expires_at)) return
  throw new DomainError(
    'sandbox_key_not_allowed',
    `This API key belongs to the sandbox '${id}', so it cannot ${next === null ? 'remove' : 'postpone'} the expiry ${formatTimestamp(expires_at)}. Give an earlier expires_at, or use a key of the default sandbox.`,
    { param: 'expires_at' },
  )
}

/** Returns the error of a request with a key of an expired sandbox. */
export function createExpiredSandboxError({
  id,
  expires_at,
  status,
}: Pick<Sandbox, 'id' | 'expires_at' | 'status'>): DomainError {
  const when = expires_at === null ? '' : ` at ${formatTimestamp(expires_at)}`
  const fix =
    status === 'active'
      ? '. Postpone expires_at with a key of the default sandbox, or create a new one.'
      : ', and its contents were deleted. Create a new sandbox with a key of the default sandbox.'
  return new DomainError('sandbox_expired', `The sandbox '${id}' of this API key expired${when}${fix}`)
}

/** Returns the error of a request that needs the contents of a sandbox whose files are damaged. */
export function createDamagedSandboxError(id: string): DomainError {
  return new DomainError(
    'unavailable',
    `Cannot open sandbox '${id}': its files are damaged. The log of the server has the details and the steps to save its records. Otherwise delete the sandbox: DELETE /v1/sandboxes/${id}.`,
  )
}

/** Returns a sandbox as the API shows it. */
export function presentSandbox(
  sandbox: Sandbox,
  { objects, events }: SandboxCounts,
  { checkoutUrlOf }: { readonly checkoutUrlOf: (id: string) => string },
): SandboxView {
  return { ...sandbox, checkout_url: checkoutUrlOf(sandbox.id), objects, events }
}

/** Returns the default sandbox, which has no record, with the time of its creation in Unix seconds. */
export function createDefaultSandbox(created: number, storage: SandboxStorage): Sandbox {
  return createSandboxRecord({}, storage, { newId: () => DEFAULT_SANDBOX, wallNow: created })
}
