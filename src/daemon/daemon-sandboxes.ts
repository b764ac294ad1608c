import { DEFAULT_DUNNING } from '../domain/core/dunning.ts'
import {
  DEFAULT_SANDBOX,
  interruptSandbox,
  isUnfinishedSandbox,
  type Sandbox,
} from '../domain/sandboxes/sandboxes.ts'
import { createAdmissions } from '../engine/admission.ts'
import { loadAll } from '../engine/load-related.ts'
import { prepareSandbox } from '../engine/prepare-sandbox.ts'
import type { Database } from '../store/port/database.ts'
import type { Store } from '../store/port/store.ts'
import type { TargetGuard } from '../webhooks/ssrf-guard.ts'
import type { Credentials } from './credentials.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { MemoryMonitor } from './sandboxes/memory-monitor.ts'
import { openSandbox, type SharedServices } from './sandboxes/open-sandbox.ts'
import { createSandboxManagers } from './sandboxes/sandbox-manager.ts'
import { SandboxRegistry } from './sandboxes/sandbox-registry.ts'
import { completeLimits } from './sandboxes/server-limits.ts'
import { loadState } from './states.ts'
import type { Clock } from './system/clock.ts'
import { createIds } from './system/ids.ts'
import { createEventLoopYield } from './system/ticker.ts'

/** Longest time that the jobs of all sandboxes together run before they yield to queued requests. */
const SLICE_MS = 1

interface OpenDaemonSandboxesOptions {
  readonly database: Database
  readonly clock: Clock
  readonly guard: TargetGuard
  readonly credentials: Credentials
  readonly checkoutUrl: string
  readonly isLocal: boolean
  readonly isExposed: boolean
  readonly monotonicMs: () => number
}

/** Opens the default sandbox of a daemon, and returns the registry that opens the others. */
export async function openDaemonSandboxes(
  options: DaemonOptions,
  {
    database,
    clock,
    guard,
    credentials,
    checkoutUrl,
    isLocal,
    isExposed,
    monotonicMs,
  }: OpenDaemonSandboxesOptions,
): Promise<SandboxRegistry> {
  const { defaultStore: store } = database
  const systemIds = createIds()
  const { log, retries, dunning = DEFAULT_DUNNING, brand = { name: null } } = options
  const { ids = systemIds, newIds = () => systemIds } = options
  const limits = completeLimits(options.limits)
  const memory = new MemoryMonitor({ ...limits, countBytes: () => registry.countBytes() })
  const shared: SharedServices = {
    ...{
      clock,
      log,
      guard,
      dunning,
      retries,
      brand,
      isLocal,
      isExposed,
      monotonicMs,
      limits,
      memory,
    },
    yieldToEventLoop: createEventLoopYield(SLICE_MS, monotonicMs),
    admissionOf: createAdmissions(),
  }
  const managerOf = createSandboxManagers({
    ...{ database, checkoutUrl, registry: () => registry, newToken: systemIds.newToken },
    quotas: limits.quotas,
    readState: (name) => loadState(options.home, name),
  })
  const isShared = store.coordinator !== undefined && options.webhookSecret === undefined
  const own = credentials.webhook_secret
  const secrets = await prepareSandbox(store, ids.newToken, isShared ? own : undefined)
  const main = await openSandbox(shared, {
    ...{ id: DEFAULT_SANDBOX, store, ids, secrets, checkoutUrl, sandboxes: managerOf(DEFAULT_SANDBOX) },
    webhookSecret: options.webhookSecret ?? (isShared ? secrets.webhook_secret : undefined) ?? own,
  })
  const registry = new SandboxRegistry({ database, shared, main, newIds, managerOf })
  await removeMemorySandboxes(store)
  await removeEnded(database)
  const leftover = await countLeftovers(database)
  if (leftover > 0) {
    const message = `${leftover} stored sandboxes are not in this database, for example after a restore. They are kept and not used.`
    log({ at_ms: clock.nowMs(), level: 'info', message })
  }
  return registry
}

/** Resolves with the number of stored sandboxes without a record. */
async function countLeftovers(database: Database): Promise<number> {
  const known = await loadAll(database.defaultStore, 'sandboxes', {})
  const ids = new Set(known.flatMap(({ id }) => [id, `${id}-origin`]))
  return (await database.listSandboxes()).filter(({ id }) => !ids.has(id)).length
}

// A process may have been killed while it created or deleted a sandbox. Contents without a record are kept: the
// database may have been restored from a backup that has no records of later sandboxes.
async function removeEnded(database: Database): Promise<void> {
  const { defaultStore: store } = database
  // First, so that another server that is still creating a sandbox fails instead of using deleted contents.
  const interrupted = await interruptUnfinished(store)
  const expired = await loadAll(store, 'sandboxes', { where: EXPIRED })
  const ids = new Set(expired.flatMap(({ id }) => [id, `${id}-origin`]))
  for (const place of await database.listSandboxes())
    if (ids.has(place.id)) await database.deleteSandbox(place)
  const writes = interrupted.map((remove) => ({ remove }))
  if (writes.length > 0) await store.transact(async () => ({ result: null, writes, events: [] }))
}

const EXPIRED = { status: 'expired' } as const

function interruptUnfinished(store: Store): Promise<readonly Sandbox[]> {
  return store
    .transact(async (reader) => {
      const expired = await loadAll(reader, 'sandboxes', { where: EXPIRED })
      const interrupted = expired.filter(isUnfinishedSandbox).map((one) => interruptSandbox(one).after)
      return { result: interrupted, writes: interrupted.map((put) => ({ put })), events: [] }
    })
    .then(({ result }) => result)
}

// The contents of sandboxes in memory were lost with the process that created them.
async function removeMemorySandboxes(store: Store): Promise<void> {
  await store.transact(async (reader) => {
    const all = await loadAll(reader, 'sandboxes', {})
    const ended = all.filter(({ storage }) => storage === 'memory')
    return { result: null, writes: ended.map((remove) => ({ remove })), events: [] }
  })
}
