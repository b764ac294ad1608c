import { DomainError } from '../../domain/core/domain-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import type { SandboxSecrets } from '../../domain/sandboxes/sandbox-secrets.ts'
import {
  createDamagedSandboxError,
  createExpiredSandboxError,
  DEFAULT_SANDBOX,
  type Sandbox,
} from '../../domain/sandboxes/sandboxes.ts'
import { prepareSandbox } from '../../engine/prepare-sandbox.ts'
import type { SandboxManager } from '../../engine/sandbox-manager.ts'
import type { Database } from '../../store/port/database.ts'
import type { Ids } from '../system/ids.ts'
import { type OpenSandbox, openSandbox, type SharedServices } from './open-sandbox.ts'
import { createSandboxAdmission, type SandboxAdmission } from './sandbox-admission.ts'
import { closeStore, createWhileClosed } from './sandbox-closing.ts'
import { createSandboxNotes, type SandboxNotes } from './sandbox-notes.ts'
import type { ServerCapacity } from './server-capacity.ts'

/** The open sandboxes of this process, and its notes on the others. */
export interface SandboxRegistry
  extends Pick<
    SandboxNotes,
    'sleeping' | 'allSleeping' | 'postpone' | 'dropSleep' | 'addIds' | 'noteExpiry' | 'hasExpired' | 'forget'
  > {
  readonly default: OpenSandbox
  readonly capacity: ServerCapacity
  /** Returns an open sandbox; undefined if it is not open or its expiry has passed. */
  readonly opened: (id: string) => OpenSandbox | undefined
  readonly allOpen: () => Iterable<OpenSandbox>
  /** Returns a request id from the generators of a sandbox, or of the default sandbox if it is unknown. */
  readonly newRequestId: (id: string) => string
  /** Opens a sandbox unless it is open. Throws a DomainError for an unknown, expired or damaged one. */
  readonly find: (id: string) => Promise<OpenSandbox>
  /** Like `find`, but resolves with null for an unknown or expired sandbox, and throws the error of a damaged file. */
  readonly findActive: (id: string) => Promise<OpenSandbox | null>
  /**
   * Closes a sandbox once its requests have ended, and runs `work`. New requests wait until `work` has finished, and so
   * do further calls for the sandbox. `work` receives the closed sandbox, or null if it was not open.
   */
  readonly whileClosed: <T>(id: string, work: (closed: OpenSandbox | null) => Promise<T>) => Promise<T>
  /** Closes an idle sandbox until it is needed again. */
  readonly sleep: (id: string) => Promise<void>
  /** Reads the summary that was stored when a sandbox was closed; resolves with false without one, as after a crash. */
  readonly recall: (sandbox: Sandbox) => Promise<boolean>
  readonly requireFit: SandboxAdmission['requireFit']
  /** Returns the bytes of all sandboxes, and of those in memory, as JSON text. */
  readonly countBytes: () => { readonly total: number; readonly loaded: number }
  /** Stops the jobs of all sandboxes and closes the stores of all but the default. */
  readonly close: () => Promise<void>
}

interface SandboxRegistryOptions {
  readonly database: Database
  readonly shared: SharedServices
  readonly main: OpenSandbox
  /** Creates generators for a sandbox. */
  readonly newIds: (variant: string) => Ids
  readonly managerOf: (id: string) => SandboxManager
}

/** Creates a registry in which only the default sandbox is open. */
export function createSandboxRegistry(options: SandboxRegistryOptions): SandboxRegistry {
  const { main, database, shared } = options
  const { wallNow } = main.runtime
  const notes = createSandboxNotes(options.newIds)
  const open = new Map<string, OpenSandbox>([[DEFAULT_SANDBOX, main]])
  const opening = new Map<string, Promise<OpenSandbox | null>>()
  const busy = new Map<string, Promise<unknown>>()

  // The due job that marks a sandbox as expired waits after a jump of the clock.
  const opened = (id: string) => (notes.hasExpired(id, wallNow()) ? undefined : open.get(id))

  async function openById(id: string): Promise<OpenSandbox | null> {
    const record = await loadActive(main, id)
    if (record === null) return null
    notes.noteExpiry(record)
    // Another process may have postponed the expiry of the open sandbox.
    const known = open.get(id)
    if (known !== undefined) return known
    const sandbox = await admission.open(record, () =>
      openRecord(record, notes.idsOf(id), { ...options, onEnd: endElsewhere }),
    )
    if (sandbox === null) return null
    notes.dropSleep(id)
    open.set(id, sandbox)
    return sandbox
  }

  async function findActive(id: string): Promise<OpenSandbox | null> {
    for (let work = busy.get(id); work !== undefined; work = busy.get(id)) await work.catch(() => {})
    const known = opened(id)
    if (known !== undefined) return known
    const running = opening.get(id) ?? openById(id).finally(() => opening.delete(id))
    opening.set(id, running)
    return running
  }

  const whileClosed = createWhileClosed({ database, notes, open, opening, busy })
  const sleep = (id: string) => whileClosed(id, async () => {}, true)
  const admission = createSandboxAdmission({
    ...{ database, capacity: shared.capacity, maxOpen: shared.limits.maxOpen, sleep },
    allOpen: () => open.values(),
  })

  function endElsewhere(sandbox: OpenSandbox, secrets: SandboxSecrets | null): void {
    const { id } = sandbox
    if (open.get(id) !== sandbox) return
    whileClosed(id, async () => endStreams(sandbox, secrets)).catch(main.pages.onError)
    if (secrets === null) notes.forget(id)
  }

  return {
    ...notes,
    default: main,
    capacity: shared.capacity,
    opened,
    allOpen: () => open.values(),
    newRequestId: (id) => (notes.knownIds(id) ?? main.runtime).newId('req_'),
    async find(id) {
      const found = await findActive(id).catch((error) => rejectDamaged(main, id, error))
      return found ?? rejectInactive(main, id)
    },
    findActive,
    whileClosed: (id, work) => whileClosed(id, work),
    sleep,
    recall: (sandbox) => recall(sandbox, database, notes),
    requireFit: admission.requireFit,
    countBytes: () => sumBytes(open.values(), notes.allSleeping()),
    async close() {
      await Promise.allSettled([...busy.values(), ...opening.values()])
      await closeAll(main, [...open.values()], database)
    },
  }
}

async function recall(
  { id, expires_at }: Sandbox,
  { files }: Pick<Database, 'files'>,
  notes: Pick<SandboxNotes, 'noteExpiry' | 'noteSleep'>,
): Promise<boolean> {
  notes.noteExpiry({ id, expires_at })
  const summary = (await files?.readSummary(id)) ?? null
  if (summary !== null) notes.noteSleep(id, { ...summary, isDurable: true })
  return summary !== null
}

async function closeAll(
  main: OpenSandbox,
  all: readonly OpenSandbox[],
  database: Pick<Database, 'files'>,
): Promise<void> {
  await Promise.all(all.map(({ jobs }) => jobs.stop()))
  const close = (one: OpenSandbox) =>
    database.files === undefined || !one.isDurable ? one.runtime.store.close() : closeStore(one, database)
  await Promise.all(all.filter((one) => one !== main).map(close))
}

function sumBytes(open: Iterable<OpenSandbox>, sleeping: ReturnType<SandboxNotes['allSleeping']>) {
  let loaded = 0
  let stored = 0
  for (const { runtime } of open) loaded += runtime.store.usage().bytes
  for (const [, { isDurable, bytes }] of sleeping) {
    if (isDurable) stored += bytes
    else loaded += bytes
  }
  return { loaded, total: loaded + stored }
}

/** Ends the streams of a sandbox that another process reset, or deleted if there are no new secrets. */
function endStreams({ streams }: OpenSandbox, secrets: SandboxSecrets | null): void {
  if (secrets === null) streams.hub.close()
  else streams.hub.closeAfterReset(secrets.reset?.sequence ?? 0)
}

interface OpenRecordOptions extends SandboxRegistryOptions {
  readonly onEnd: (sandbox: OpenSandbox, secrets: SandboxSecrets | null) => void
}

/**
 * Opens the sandbox of a record and starts its background jobs; resolves with null if another process has deleted it.
 */
async function openRecord(
  record: Sandbox,
  ids: Ids,
  { database, shared, main, managerOf, onEnd }: OpenRecordOptions,
): Promise<OpenSandbox | null> {
  const { id } = record
  const store = await database.openSandbox(record)
  const sandboxes = managerOf(id)
  const openOn = async (): Promise<OpenSandbox> => {
    const secrets = await prepareSandbox(store, ids.newToken)
    return openSandbox(shared, {
      ...{ id, isDurable: record.storage === 'durable' },
      ...{ store, secrets, ids, sandboxes, registry: main.runtime },
      checkoutUrl: sandboxes.checkoutUrlOf(id),
      webhookSecret: secrets.webhook_secret ?? ids.newWebhookSecret(),
      onEnd: (newSecrets) => onEnd(sandbox, newSecrets),
    })
  }
  const sandbox = await openOn().catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  // If another process has deleted the sandbox, opening its store has created an empty one.
  if (database.peers !== undefined && (await loadActive(main, id)) === null) {
    await store.close()
    await database.deleteSandbox(record)
    return null
  }
  sandbox.jobs.start()
  return sandbox
}

async function loadActive({ runtime }: OpenSandbox, id: string): Promise<Sandbox | null> {
  const record = await runtime.store.get('sandboxes', id)
  if (record === null || record.status === 'expired') return null
  // The due job that marks a sandbox as expired waits after a jump of the clock.
  return record.expires_at === null || record.expires_at > runtime.wallNow() ? record : null
}

// The log names the file, which API clients must not see.
function rejectDamaged({ pages }: OpenSandbox, id: string, error: unknown): never {
  if (!(error instanceof StartupError)) throw error
  pages.onError(error)
  throw createDamagedSandboxError(id)
}

async function rejectInactive({ runtime }: OpenSandbox, id: string): Promise<never> {
  const record = await runtime.store.get('sandboxes', id)
  throw record === null ? unknownSandboxError() : createExpiredSandboxError(record)
}

function unknownSandboxError(): DomainError {
  return new DomainError(
    'api_key_invalid',
    'The sandbox of this API key does not exist: it was deleted, or it belongs to another server. Create one with POST /v1/sandboxes and a key of the default sandbox.',
  )
}
