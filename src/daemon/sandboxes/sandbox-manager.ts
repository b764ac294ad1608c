import { DomainError } from '../../domain/core/domain-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { requireQuotaLeft, type SandboxQuotas } from '../../domain/sandboxes/sandbox-quotas.ts'
import {
  createDefaultSandbox,
  DEFAULT_SANDBOX,
  requireActiveSandbox,
  type Sandbox,
} from '../../domain/sandboxes/sandboxes.ts'
import {
  addKeptRecords,
  addResetId,
  addSandboxCredentials,
  buildCopyContents,
  COLLECTIONS_KEPT_BY_RESET,
  countContentsRecords,
  countStoreRecords,
  EMPTY_CONTENTS,
  estimateUsage,
  findFingerprintSalt,
  type KeptRecords,
} from '../../engine/sandbox-copies.ts'
import type { SandboxManager } from '../../engine/sandbox-manager.ts'
import type { Database, SandboxLocation } from '../../store/port/database.ts'
import type { Store, StoreContents } from '../../store/port/store.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

interface SandboxManagerOptions {
  readonly database: Database
  /** Returns the registry. This is a function, because the registry is created after its managers. */
  readonly registry: () => SandboxRegistry
  /** Generates a random string that no other process generates. */
  readonly newToken: () => string
  /** The address of the hosted pages of the default sandbox. */
  readonly checkoutUrl: string
  /** Reads a saved state by its name; null for an unknown name. */
  readonly readState: (name: string) => Promise<StoreContents | null>
  readonly quotas: SandboxQuotas
}

/** The codes of errors for sandboxes that the server temporarily cannot open. */
const UNOPENED_CODES: ReadonlySet<string> = new Set(['server_full', 'sandboxes_busy'])

/** Creates a function that returns the manager of each sandbox of a database. */
export function createSandboxManagerFactory(options: SandboxManagerOptions): (id: string) => SandboxManager {
  const { database, registry, checkoutUrl, newToken, quotas } = options
  const shared: Omit<SandboxManager, 'current'> = {
    storages: database.storages,
    defaultSandbox: () => loadDefaultSandbox(database),
    checkoutUrlOf: (id) =>
      id === DEFAULT_SANDBOX ? checkoutUrl : `${checkoutUrl.replace(/\/+$/, '')}/${id}`,
    async prepare(sandbox, { apiKey, webhookSecret }) {
      registry().memory.requireRoom()
      const source = sandbox.from === null ? null : await loadSource(sandbox.from, options)
      const { wallNow, yieldToEventLoop, newWebhookSecret } = registry().default.runtime
      const target = { checkoutUrl: shared.checkoutUrlOf(sandbox.id), yieldToEventLoop, newWebhookSecret }
      const origin = source === null ? EMPTY_CONTENTS : await buildCopyContents(source, target)
      requireQuotas(origin, quotas)
      // Original contents in memory share their immutable records with the sandbox, so they need not be stored.
      const isOriginStored = source !== null && sandbox.storage === 'durable'
      const ids = registry().add(sandbox.id, source && variantOf(source), isOriginStored ? null : origin)
      const secrets = {
        ...({ id: 'sandbox', object: 'sandbox_secrets' } as const),
        fingerprint_salt: (source && findFingerprintSalt(source)) ?? ids.newToken(),
        // Seeded generators repeat in each sandbox, and a form of one sandbox must not be valid in another sandbox.
        form_key: `${ids.newToken()} ${sandbox.id}`,
        webhook_secret: webhookSecret,
      }
      const contents = addSandboxCredentials(origin, secrets, apiKey, {
        newId: ids.newId,
        wallNow: wallNow(),
      })
      try {
        if (isOriginStored) await database.writeSandbox(originPlaceOf(sandbox), origin)
        await database.writeSandbox(sandbox, contents)
      } catch (error) {
        // Report the first error, which contains the cause, such as a full disk.
        await remove(sandbox, options).catch(registry().default.pages.onError)
        throw error
      }
      return countContentsRecords(contents)
    },
    reset: (sandbox, to) =>
      registry().whileClosed(sandbox.id, async (closed) => {
        // The sandbox may have been deleted while the reset waited. A write would create the contents again.
        const { store } = registry().default.runtime
        requireActive(await store.get('sandboxes', sandbox.id), sandbox.id)
        const kept = await readKeptRecords(database, sandbox)
        const origin = to === 'origin' ? await loadOrigin(sandbox, options) : EMPTY_CONTENTS
        const contents = addResetId(addKeptRecords(origin, kept), newToken())
        await database.writeSandbox(sandbox, contents)
        // Another process may have deleted the sandbox in the meantime.
        const latest = await store.get('sandboxes', sandbox.id)
        if (latest?.status !== 'active') await deleteContents(sandbox, database)
        requireActive(latest, sandbox.id)
        closed?.streams.hub.closeAfterReset(contents.sequence)
        return countContentsRecords(contents)
      }),
    remove: (sandbox) => remove(sandbox, options),
    removeLater(sandbox) {
      remove(sandbox, options).catch(registry().default.pages.onError)
    },
    applyExpiry: (sandbox) => registry().setExpiry(sandbox),
    async countsOf({ id }) {
      const lastCounts = registry().summaryOf(id)?.counts
      if (lastCounts !== undefined) return lastCounts
      try {
        const open = await registry().findActive(id)
        return open === null
          ? countContentsRecords(EMPTY_CONTENTS)
          : await open.requests.during(() => countStoreRecords(open.runtime.store))
      } catch (error) {
        const isTooLarge = error instanceof DomainError && UNOPENED_CODES.has(error.code)
        if (!(error instanceof StartupError || isTooLarge)) throw error
        registry().default.pages.onError(error)
        return null
      }
    },
  }
  return (id) => ({ ...shared, current: id })
}

/** Throws when the initial contents of a sandbox exceed its quotas. */
function requireQuotas(contents: StoreContents, quotas: SandboxQuotas): void {
  const { records, bytes } = estimateUsage(contents)
  requireQuotaLeft('objects', records, quotas.objects)
  requireQuotaLeft('bytes', bytes, quotas.bytes)
}

function remove(sandbox: Sandbox, { database, registry }: SandboxManagerOptions): Promise<void> {
  return registry().whileClosed(sandbox.id, async (closed) => {
    closed?.streams.hub.close()
    await deleteContents(sandbox, database)
    registry().deleteEntry(sandbox.id)
  })
}

async function deleteContents(sandbox: Sandbox, database: Database): Promise<void> {
  await database.deleteSandbox(sandbox)
  if (sandbox.storage === 'durable' && sandbox.from !== null)
    await database.deleteSandbox(originPlaceOf(sandbox))
}

function requireActive(record: Sandbox | null, id: string): void {
  const message = `No such sandbox: '${id}'. It was deleted during the request.`
  if (record === null) throw new DomainError('resource_missing', message, { param: 'id' })
  requireActiveSandbox(record, 'reset')
}

/** Returns the contents of a sandbox or a saved state. */
async function loadSource(
  from: string,
  { registry, readState }: SandboxManagerOptions,
): Promise<StoreContents> {
  const main = registry().default
  if (from === DEFAULT_SANDBOX) return main.runtime.store.capture()
  if (from.startsWith('sbx_')) {
    const open = await registry().findActive(from)
    if (open !== null) return open.requests.during(() => open.runtime.store.capture())
    throw unknownSourceError(`No such sandbox: '${from}'. List them with GET /v1/sandboxes?status=active.`)
  }
  const state = await readState(from)
  if (state !== null) return state
  throw unknownSourceError(
    `No such saved state: '${from}'. Give the name of a state in paycli state list, the id of a sandbox, or default.`,
  )
}

/** Returns the location of the initial contents of a durable copy, which a reset restores. */
function originPlaceOf({ id, storage }: Sandbox): SandboxLocation {
  return { id: `${id}-origin`, storage }
}

async function loadOrigin(
  sandbox: Sandbox,
  { database, registry }: SandboxManagerOptions,
): Promise<StoreContents> {
  if (sandbox.from === null) return EMPTY_CONTENTS
  const inMemory = registry().originOf(sandbox.id)
  if (inMemory !== null) return inMemory
  const place = originPlaceOf(sandbox)
  await registry().admission.requireFit(sandbox.id, place.id)
  return useClosed(database, place, (store) => store.capture())
}

/** Resolves with the records that a reset keeps. For a sandbox in files, loads no other records. */
function readKeptRecords(database: Database, place: SandboxLocation): Promise<KeptRecords> {
  if (database.files !== undefined && place.storage === 'durable')
    return database.files.readCollections(place.id, COLLECTIONS_KEPT_BY_RESET)
  return useClosed(database, place, async (store) => {
    const kept = COLLECTIONS_KEPT_BY_RESET.map((name) => store.listOldest(name, Number.MAX_SAFE_INTEGER))
    const lists = await Promise.all(kept)
    return Object.fromEntries(
      COLLECTIONS_KEPT_BY_RESET.map((name, at) => [name, lists[at]]),
    ) as unknown as KeptRecords
  })
}

async function useClosed<T>(
  database: Database,
  place: SandboxLocation,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await database.openSandbox(place)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

// Seeded ids of a copy must not repeat the ids of the copied records.
function variantOf({ records, sequence }: StoreContents): string {
  const count = Object.values(records).reduce((sum, all) => sum + all.length, 0)
  return `\ncopy ${sequence} ${count}`
}

// The default sandbox has no record, but its first API key was created with the database.
async function loadDefaultSandbox({ defaultStore, storages }: Database): Promise<Sandbox> {
  const [first] = await defaultStore.listOldest('api_keys', 1)
  return createDefaultSandbox(first?.created ?? 0, storages[0] ?? 'memory')
}

function unknownSourceError(message: string): DomainError {
  return new DomainError('resource_missing', message, { param: 'from' })
}
