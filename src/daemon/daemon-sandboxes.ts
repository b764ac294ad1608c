import { DEFAULT_DUNNING_POLICY } from '../domain/core/dunning.ts'
import {
  DEFAULT_SANDBOX,
  isUnfinishedSandbox,
  markCreationInterrupted,
} from '../domain/sandboxes/sandboxes.ts'
import { createWorkAdmission } from '../engine/admission.ts'
import { loadMatching } from '../engine/load-related.ts'
import { ensureInternalSandboxSecrets } from '../engine/sandbox-credentials.ts'
import type { Database } from '../store/port/database.ts'
import type { Credentials } from './credentials.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { MemoryMonitor } from './sandboxes/memory-monitor.ts'
import { openSandbox, type SharedServices } from './sandboxes/open-sandbox.ts'
import { createRequestBodyBuffer } from './sandboxes/request-bodies.ts'
import { createSandboxManagerFactory } from './sandboxes/sandbox-manager.ts'
import { SandboxRegistry } from './sandboxes/sandbox-registry.ts'
import { createServerLimits } from './sandboxes/server-limits.ts'
import { loadState } from './states.ts'
import { createIdGenerators } from './system/ids.ts'
import { createEventLoopYield } from './system/task-scheduling.ts'

/** Maximum time in milliseconds that the jobs of all sandboxes together run before they yield to queued requests. */
const SLICE_MS = 1

interface OpenDaemonSandboxesOptions
  extends Pick<SharedServices, 'clock' | 'guard' | 'isLocal' | 'isExposed' | 'monotonicMs'> {
  readonly database: Database
  readonly credentials: Credentials
  readonly checkoutUrl: string
}

/** Opens the default sandbox of a daemon, and returns the registry that opens all other sandboxes. */
export async function openDaemonSandboxes(
  options: DaemonOptions,
  { database, credentials, checkoutUrl, ...services }: OpenDaemonSandboxesOptions,
): Promise<SandboxRegistry> {
  const { defaultStore: store } = database
  const systemIds = createIdGenerators()
  const { log, retries, dunning = DEFAULT_DUNNING_POLICY, brand = { name: null } } = options
  const { ids = systemIds, newIds = () => systemIds } = options
  const limits = createServerLimits(options.limits)
  const memory = new MemoryMonitor({ ...limits, countBytes: () => registry.countBytes() })
  const shared: SharedServices = {
    ...services,
    ...{ log, dunning, retries, brand, limits, memory },
    openBodies:
      options.createScenes === undefined || options.keepsBodies === false ? null : createRequestBodyBuffer(),
    yieldToEventLoop: createEventLoopYield(SLICE_MS, services.monotonicMs),
    admissionOf: createWorkAdmission(),
  }
  const managerOf = createSandboxManagerFactory({
    ...{ database, checkoutUrl, registry: () => registry, newToken: systemIds.newToken },
    quotas: limits.quotas,
    readState: (name) => loadState(options.home, name),
  })
  const isShared = store.coordinator !== undefined && options.webhookSecret === undefined
  const own = credentials.webhook_secret
  const secrets = await ensureInternalSandboxSecrets(store, ids.newToken, isShared ? own : undefined)
  const main = await openSandbox(shared, {
    ...{ id: DEFAULT_SANDBOX, store, ids, secrets, checkoutUrl, sandboxes: managerOf(DEFAULT_SANDBOX) },
    webhookSecret: options.webhookSecret ?? (isShared ? secrets.webhook_secret : undefined) ?? own,
  })
  const registry = new SandboxRegistry({ database, shared, main, newIds, managerOf })
  const leftover = await removeEnded(database)
  if (leftover > 0) {
    const message = `${leftover} stored sandboxes are not in this database, for example after a restore. They are kept, but not used.`
    log({ at_ms: services.clock.nowMs(), level: 'info', message })
  }
  return registry
}

/**
 * Removes the sandboxes in memory, which were lost with their process, and sandboxes whose creation or deletion was
 * interrupted. Resolves with the number of stored sandboxes without a record. Does not delete these sandboxes, because
 * a restored backup may lack the records of later sandboxes.
 */
async function removeEnded(database: Database): Promise<number> {
  const { defaultStore: store } = database
  // Change the records first, so that another server that is still creating a sandbox fails instead of using deleted
  // contents.
  const { result } = await store.transact(async (reader) => {
    const all = await loadMatching(reader, 'sandboxes', {})
    const durable = all.filter(({ storage }) => storage === 'durable')
    const lost = all.filter(({ storage }) => storage === 'memory')
    const interrupted = durable.filter(isUnfinishedSandbox).map((one) => markCreationInterrupted(one).after)
    const writes = [...lost.map((remove) => ({ remove })), ...interrupted.map((put) => ({ put }))]
    return { result: { durable, interrupted }, writes, events: [] }
  })
  const records = new Map(result.durable.map((one) => [one.id, one]))
  let leftover = 0
  for (const place of await database.listSandboxes()) {
    const status = records.get(place.id.replace(/-origin$/, ''))?.status
    if (status === undefined) leftover += 1
    if (status === 'expired') await database.deleteSandbox(place)
  }
  const writes = result.interrupted.map((remove) => ({ remove }))
  if (writes.length > 0) await store.transact(async () => ({ result: null, writes, events: [] }))
  return leftover
}
