import { DomainError } from '../../domain/domain-error.ts'
import type { SandboxSecrets } from '../../domain/sandbox-secrets.ts'
import {
  createDamagedSandboxError,
  createExpiredSandboxError,
  DEFAULT_SANDBOX,
  type Sandbox,
} from '../../domain/sandboxes.ts'
import { StartupError } from '../../domain/startup-error.ts'
import { prepareSandbox } from '../../engine/prepare-sandbox.ts'
import { countRecords } from '../../engine/sandbox-copies.ts'
import type { SandboxManager } from '../../engine/sandbox-manager.ts'
import type { Database } from '../../store/port/database.ts'
import type { Ids } from '../system/ids.ts'
import { nextTurn, withTimeout } from '../system/ticker.ts'
import { type OpenSandbox, openSandbox, type SharedServices } from './open-sandbox.ts'
import { createSandboxNotes, type SandboxNotes, type SleepingSandbox } from './sandbox-notes.ts'

/** Maximum time for running requests of a sandbox to end before it is closed. */
const DRAIN_LIMIT_MS = 5000

/** The sandboxes that this process has open, and what it knows of the others. */
export interface SandboxRegistry
  extends Pick<SandboxNotes, 'sleeping' | 'allSleeping' | 'dropSleep' | 'addIds' | 'noteExpiry' | 'forget'> {
  readonly default: OpenSandbox
  /** Returns an open sandbox, or undefined also when its expiry has passed. */
  readonly opened: (id: string) => OpenSandbox | undefined
  readonly allOpen: () => Iterable<OpenSandbox>
  /** Returns a request id from the generators of a sandbox, or of the default sandbox if it is unknown. */
  readonly newRequestId: (id: string) => string
  /** Opens a sandbox unless it is open. Throws a DomainError for an unknown, expired or damaged one. */
  readonly find: (id: string) => Promise<OpenSandbox>
  /** Like `find`, but resolves with null for an unknown or expired sandbox, and throws the error of a damaged file. */
  readonly findActive: (id: string) => Promise<OpenSandbox | null>
  /**
   * Closes a sandbox once its requests have ended, and runs `work`; requests wait until then. Such work in one sandbox runs
   * one after the other. `work` receives the closed sandbox, or null if it was not open.
   */
  readonly whileClosed: <T>(id: string, work: (closed: OpenSandbox | null) => Promise<T>) => Promise<T>
  /** Closes an idle sandbox until it is needed again. */
  readonly sleep: (id: string) => Promise<void>
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
  const { main } = options
  const { wallNow } = main.runtime
  const notes = createSandboxNotes(options.newIds)
  const open = new Map<string, OpenSandbox>([[DEFAULT_SANDBOX, main]])
  const opening = new Map<string, Promise<OpenSandbox | null>>()
  const busy = new Map<string, Promise<unknown>>()

  // The due job that ends an expired sandbox may still be waiting.
  const opened = (id: string) => (notes.hasExpired(id, wallNow()) ? undefined : open.get(id))

  async function openById(id: string): Promise<OpenSandbox | null> {
    const record = await loadActive(main, id)
    if (record === null) return null
    notes.noteExpiry(record)
    // Another process may have extended it.
    const known = open.get(id)
    if (known !== undefined) return known
    const sandbox = await openRecord(record, notes.idsOf(id), { ...options, onEnd: endElsewhere })
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

  function whileClosed<T>(id: string, work: (closed: OpenSandbox | null) => Promise<T>, isAsleep = false) {
    const previous = busy.get(id)
    const own = (async () => {
      await previous?.catch(() => {})
      const sandbox = open.get(id) ?? (await opening.get(id)?.catch(() => null)) ?? null
      open.delete(id)
      // A request whose `find` has just ended is not counted yet, and its store would be closed.
      if (sandbox !== null) await nextTurn()
      return endStreamsOnError(sandbox, async () => {
        notes.noteSleep(id, sandbox && (await closeSandbox(sandbox, isAsleep)))
        return work(sandbox)
      })
    })()
    const settled = own.finally(() => {
      if (busy.get(id) === settled) busy.delete(id)
    })
    busy.set(id, settled)
    return settled
  }

  function endElsewhere(sandbox: OpenSandbox, secrets: SandboxSecrets | null): void {
    const { id } = sandbox
    if (open.get(id) !== sandbox) return
    whileClosed(id, async () => endStreams(sandbox, secrets)).catch(main.pages.onError)
    if (secrets === null) notes.forget(id)
  }

  return {
    ...notes,
    default: main,
    opened,
    allOpen: () => open.values(),
    newRequestId: (id) => (notes.knownIds(id) ?? main.runtime).newId('req_'),
    async find(id) {
      const found = await findActive(id).catch((error) => rejectDamaged(main, id, error))
      return found ?? rejectInactive(main, id)
    },
    findActive,
    whileClosed: (id, work) => whileClosed(id, work),
    sleep: (id) => whileClosed(id, async () => {}, true),
    async close() {
      await Promise.allSettled([...busy.values(), ...opening.values()])
      await closeAll(main, [...open.values()])
    },
  }
}

async function closeAll(main: OpenSandbox, all: readonly OpenSandbox[]): Promise<void> {
  await Promise.all(all.map(({ jobs }) => jobs.stop()))
  await Promise.all(all.filter((one) => one !== main).map((one) => one.runtime.store.close()))
}

/** Tells the streams of a closed sandbox what another process did: a reset, or a deletion without new secrets. */
function endStreams({ streams }: OpenSandbox, secrets: SandboxSecrets | null): void {
  if (secrets === null) streams.hub.close()
  else streams.hub.closeAfterReset(secrets.reset?.sequence ?? 0)
}

interface OpenRecordOptions extends SandboxRegistryOptions {
  readonly onEnd: (sandbox: OpenSandbox, secrets: SandboxSecrets | null) => void
}

/** Opens the sandbox of a record and starts its background jobs; null if another process deletes it meanwhile. */
async function openRecord(
  record: Sandbox,
  ids: Ids,
  { database, shared, main, managerOf, onEnd }: OpenRecordOptions,
): Promise<OpenSandbox | null> {
  const { id } = record
  const store = await database.openSandbox(record)
  const secrets = await prepareSandbox(store, ids.newToken)
  const sandboxes = managerOf(id)
  const sandbox: OpenSandbox = await openSandbox(shared, {
    ...{ id, store, secrets, ids, sandboxes, registry: main.runtime },
    checkoutUrl: sandboxes.checkoutUrlOf(id),
    webhookSecret: secrets.webhook_secret ?? ids.newWebhookSecret(),
    onEnd: (newSecrets) => onEnd(sandbox, newSecrets),
  })
  // The store of a deleted sandbox would be opened as a new one.
  if (database.peers !== undefined && (await loadActive(main, id)) === null) {
    await store.close()
    await database.deleteSandbox(record)
    return null
  }
  sandbox.jobs.start()
  return sandbox
}

/** Ends everything that runs in a sandbox, and closes its store. Resolves with its last state if it falls asleep. */
async function closeSandbox(
  { streams, requests, jobs, runtime: { store } }: OpenSandbox,
  isAsleep: boolean,
): Promise<SleepingSandbox | null> {
  // Deliveries to listeners would otherwise wait for their results.
  streams.hub.withdrawOffers('the sandbox closes')
  jobs.endEarlyWaits()
  await withTimeout(requests.drained(), DRAIN_LIMIT_MS)
  try {
    await jobs.stop(0)
    return isAsleep ? { counts: await countRecords(store), wakesAt: await store.nextDeadline() } : null
  } finally {
    await store.close()
  }
}

// They would stay open without messages, because the next request opens the sandbox anew.
async function endStreamsOnError<T>(sandbox: OpenSandbox | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    sandbox?.streams.hub.close()
    throw error
  }
}

async function loadActive({ runtime }: OpenSandbox, id: string): Promise<Sandbox | null> {
  const record = await runtime.store.get('sandboxes', id)
  if (record === null || record.status === 'expired') return null
  // The due job that marks it as expired may still be waiting.
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
