import { type Authenticator, createAuthenticator } from '../../api/core/auth.ts'
import type { ServerBrand } from '../../domain/branding/branding.ts'
import type { DunningPolicy } from '../../domain/core/dunning.ts'
import { addSandboxIdToKey } from '../../domain/sandboxes/api-keys.ts'
import { requireQuotaLeft } from '../../domain/sandboxes/sandbox-quotas.ts'
import { type InternalSandboxSecrets, SANDBOX_SECRETS_ID } from '../../domain/sandboxes/sandbox-secrets.ts'
import { DEFAULT_SANDBOX, type Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import type { RunWhenAdmitted } from '../../engine/admission.ts'
import { type ApiKeyUsageBuffer, createApiKeyUsageBuffer } from '../../engine/api-key-usage.ts'
import { createFaultRuleCache } from '../../engine/fault-rule-cache.ts'
import { openRequestLogWriter, type RequestLogWriter } from '../../engine/request-logs.ts'
import { getRetentionTime, initializeRetentionClock } from '../../engine/retention-clock.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { countStoreRecords } from '../../engine/sandbox-copies.ts'
import { ensureInternalSandboxSecrets } from '../../engine/sandbox-credentials.ts'
import type { SandboxManager } from '../../engine/sandbox-manager.ts'
import type { PagesOptions } from '../../pages/routes.ts'
import type { Database, SandboxSummary } from '../../store/port/database.ts'
import type { Store } from '../../store/port/store.ts'
import {
  type BackgroundJobs,
  type BackgroundJobsOptions,
  createBackgroundJobs,
} from '../jobs/background-jobs.ts'
import { createSandboxStreams } from '../streams/sandbox-streams.ts'
import { getUnixSeconds } from '../system/clock.ts'
import { createCardFingerprinter, type IdGenerators } from '../system/ids.ts'
import { createOutageLog } from '../system/outage-log.ts'
import { createSerialRunner, waitAtMost, waitForNextTurn } from '../system/task-scheduling.ts'
import type { MemoryMonitor } from './memory-monitor.ts'
import type { RequestBodies } from './request-bodies.ts'
import { RunningRequestCounter } from './running-request-counter.ts'
import type { ServerLimits } from './server-limits.ts'

/** Maximum time for running requests of a sandbox to end before it is closed. */
const DRAIN_LIMIT_MS = 5000

/** The services that all sandboxes of a daemon share. */
export interface SharedServices
  extends Pick<BackgroundJobsOptions, 'clock' | 'log' | 'guard' | 'retries' | 'monotonicMs'> {
  readonly dunning: DunningPolicy
  readonly brand: ServerBrand
  /** Whether only this machine can open the hosted pages. */
  readonly isLocal: boolean
  /** Creates the request bodies of a sandbox for the dashboard; null if the server stores no bodies. */
  readonly openBodies: (() => RequestBodies) | null
  /** Whether other machines can reach the API. */
  readonly isExposed: boolean
  /** All sandboxes share this function, so that their jobs share the slices of the event loop. */
  readonly yieldToEventLoop: () => Promise<void>
  /** Returns the queues of a sandbox for expensive requests. */
  readonly admissionOf: (sandbox: string) => RunWhenAdmitted
  readonly limits: Pick<ServerLimits, 'quotas' | 'maxOpen'>
  readonly memory: MemoryMonitor
}

/** A sandbox that serves requests. */
export interface OpenSandbox {
  readonly id: string
  /** Whether the sandbox is durable, so that closing it frees memory; false for the default sandbox. */
  readonly isDurable: boolean
  readonly runtime: Runtime
  readonly authenticate: Authenticator
  readonly requestLogs: RequestLogWriter
  /** The request bodies that the dashboard shows; null if the server stores no bodies. */
  readonly bodies: RequestBodies | null
  readonly keyUsage: ApiKeyUsageBuffer
  readonly streams: ReturnType<typeof createSandboxStreams>
  readonly pages: PagesOptions
  readonly jobs: BackgroundJobs
  /** The requests that this process currently executes in the sandbox. */
  readonly requests: RunningRequestCounter
  /** The id of the last reset of the sandbox; undefined before the first reset. */
  readonly reset: string | undefined
}

/** The summary of a sandbox that was closed while idle. */
export interface ClosedSandboxSummary extends SandboxSummary {
  /** Whether the sandbox is stored in files or in PostgreSQL, not in memory. */
  readonly isDurable: boolean
}

export interface OpenSandboxOptions extends Pick<Runtime, 'checkoutUrl' | 'sandboxes'> {
  readonly id: string
  readonly isDurable?: boolean
  readonly store: Store
  readonly ids: IdGenerators
  readonly secrets: InternalSandboxSecrets
  /** The secret that signs the deliveries of listeners. */
  readonly webhookSecret: string
  /** The runtime of the default sandbox; undefined for that sandbox itself. */
  readonly registry?: Runtime
}

/** Opens a sandbox on its store. Its background jobs do not run yet. */
export async function openSandbox(shared: SharedServices, options: OpenSandboxOptions): Promise<OpenSandbox> {
  const { id, store, ids, secrets, webhookSecret, checkoutUrl, sandboxes, registry } = options
  const { clock, log, guard, dunning, yieldToEventLoop, monotonicMs, isLocal, isExposed, brand } = shared
  await initializeRetentionClock(store)
  const wallNow = () => getUnixSeconds(clock)
  const runtime: Runtime = {
    ...{ store, wallNow, faults: createFaultRuleCache(store, wallNow) },
    newId: ids.newId,
    fingerprint: createCardFingerprinter(secrets.fingerprint_salt),
    newWebhookSecret: ids.newWebhookSecret,
    newApiKey: (kind) => addSandboxIdToKey(ids.newApiKey(kind), id),
    publicIdempotencyKey: ids.publicIdempotencyKey,
    requireAllowedUrl: guard.requireAllowed,
    ...{ checkoutUrl, isExposed },
    dunning,
    yieldToEventLoop,
    admit: shared.admissionOf(id),
    ...(sandboxes === undefined ? {} : { sandboxes }),
    ...(registry === undefined ? {} : { registry }),
    ...createRoomRules(shared, id, store),
  }
  const { onError, onSuccess } = createOutageLog(log, clock)
  const requestLogs = await openRequestLogWriter(store, () => getRetentionTime(runtime))
  const keyUsage = createApiKeyUsageBuffer(store, runtime.wallNow)
  const streams = createSandboxStreams(runtime, { id, secrets, webhookSecret, clock, monotonicMs, onError })
  const jobs = createBackgroundJobs(runtime, {
    ...{ log, clock, ids, guard, monotonicMs, onError, onSuccess },
    ...{ retries: shared.retries, buffers: [requestLogs, keyUsage] },
    ...{ hub: streams.hub, presence: streams.presence, isDefault: id === DEFAULT_SANDBOX },
  })
  return {
    ...{ id, isDurable: options.isDurable === true },
    runtime,
    authenticate: createAuthenticator(),
    requestLogs,
    bodies: shared.openBodies?.() ?? null,
    keyUsage,
    streams,
    pages: { runtime, isLocal, brand, formKey: secrets.form_key, newNonce: ids.newToken, onError },
    jobs,
    requests: new RunningRequestCounter(),
    reset: secrets.reset?.id,
  }
}

/** The dependencies of every sandbox of a daemon except the default sandbox. */
export interface SandboxDependencies {
  readonly database: Database
  readonly shared: SharedServices
  readonly main: OpenSandbox
  readonly managerOf: (id: string) => SandboxManager
  readonly newIds: (variant: string) => IdGenerators
}

/**
 * Opens the sandbox of a record, without its background jobs; resolves with null if another process has deleted it.
 */
export async function openSandboxOfRecord(
  record: Sandbox,
  ids: IdGenerators,
  { database, shared, main, managerOf }: SandboxDependencies,
): Promise<OpenSandbox | null> {
  const { id, storage } = record
  const store = await database.openSandbox(record)
  try {
    const sandboxes = managerOf(id)
    const secrets = await ensureInternalSandboxSecrets(store, ids.newToken)
    const sandbox = await openSandbox(shared, {
      ...{ id, isDurable: storage === 'durable', store, secrets, ids, sandboxes, registry: main.runtime },
      checkoutUrl: sandboxes.checkoutUrlOf(id),
      webhookSecret: secrets.webhook_secret ?? ids.newWebhookSecret(),
    })
    if (database.peers === undefined) return sandbox
    // `loadActiveSandbox` would reject an expired sandbox, but after a jump of the clock, the contents must be kept.
    if ((await main.runtime.store.get('sandboxes', id))?.status === 'active') return sandbox
  } catch (error) {
    await store.close()
    throw error
  }
  // The record no longer exists, so opening the store has created an empty sandbox.
  await store.close()
  await database.deleteSandbox(record)
  return null
}

/** Resolves with the record of a sandbox; null for an unknown or expired sandbox. */
export async function loadActiveSandbox({ runtime }: OpenSandbox, id: string): Promise<Sandbox | null> {
  const record = await runtime.store.get('sandboxes', id)
  if (record === null || record.status === 'expired') return null
  // After a jump of the clock, the due job that marks a sandbox as expired runs later.
  return record.expires_at === null || record.expires_at > runtime.wallNow() ? record : null
}

// The default sandbox has no quotas, because its keys belong to the operator of the server, who can set every limit.
function createRoomRules(
  { memory, limits: { quotas } }: SharedServices,
  id: string,
  store: Store,
): Pick<Runtime, 'requireRoom' | 'quotas'> {
  if (id === DEFAULT_SANDBOX) return { requireRoom: () => memory.requireRoom() }
  return {
    quotas,
    requireRoom() {
      memory.requireRoom()
      const { records, bytes } = store.usage()
      requireQuotaLeft('objects', records, quotas.objects)
      requireQuotaLeft('bytes', bytes, quotas.bytes)
    },
  }
}

/**
 * Watches an open sandbox for changes by other processes. Calls `onEnd` once: with the new secrets after a reset, or
 * with null after a deletion. Each check reads the secrets, so that events of new contents never reach streams of old
 * contents. Without open streams, a commit that stores no deadline causes no check.
 */
export function watchSandbox(
  { runtime: { store }, streams, jobs, reset, pages }: OpenSandbox,
  onEnd: (secrets: InternalSandboxSecrets | null) => void,
): void {
  let isEnded = false
  // All changes during a check cause a single further check.
  const checks = createSerialRunner(async () => {
    const secrets = await store.get('sandbox_secrets', SANDBOX_SECRETS_ID)
    if (isEnded) return
    isEnded = secrets === null || secrets.reset?.id !== reset
    if (isEnded) onEnd(secrets)
  })
  const wake = () => {
    if (!isEnded) jobs.wake()
  }
  store.coordinator?.onChange((mayBeDue) => {
    if (mayBeDue || streams.hub.hasReaders()) checks.run().then(wake, pages.onError)
    else wake()
  })
  // Changes between the read of the secrets and the subscription caused no notification.
  if (store.coordinator !== undefined) checks.run().catch(pages.onError)
}

/** Ends the streams of a sandbox that another process reset, or deleted when `secrets` is null. */
export function closeStreamsAfterRemoteReset(
  { streams }: OpenSandbox,
  secrets: InternalSandboxSecrets | null,
): void {
  if (secrets === null) streams.hub.close()
  else streams.hub.closeAfterReset(secrets.reset?.sequence ?? 0)
}

/**
 * Ends the jobs and streams of a sandbox once its requests have ended, and closes its store. Stores the summary in
 * `sleepIn` and resolves with the summary; resolves with null when `sleepIn` is null.
 */
export async function closeSandbox(
  sandbox: OpenSandbox,
  sleepIn: Pick<Database, 'files'> | null,
): Promise<ClosedSandboxSummary | null> {
  const { streams, requests, jobs, runtime } = sandbox
  // A request that has just found the sandbox is not counted yet, and would fail if the store were closed now.
  await waitForNextTurn()
  // Withdraw the offers; otherwise the jobs would wait for the results of deliveries to listeners.
  streams.hub.withdrawOffers('the sandbox closes')
  jobs.endEarlyWaits()
  await waitAtMost(requests.drained(), DRAIN_LIMIT_MS)
  try {
    await jobs.stop(0)
    return sleepIn && (await closeSandboxStore(sandbox, sleepIn))
  } finally {
    await runtime.store.close()
  }
}

/** Closes the store of a sandbox and stores its summary, so that the next start need not open it. */
export async function closeSandboxStore(
  { id, isDurable, runtime: { store } }: OpenSandbox,
  { files }: Pick<Database, 'files'>,
): Promise<ClosedSandboxSummary> {
  try {
    const counts = await countStoreRecords(store)
    const summary = { counts, bytes: store.usage().bytes, wakesAt: await store.nextDeadline() }
    await store.close()
    // Ignore the error: without a summary, the next start opens the sandbox.
    if (isDurable) await files?.writeSummary(id, summary).catch(() => {})
    return { ...summary, isDurable }
  } finally {
    await store.close()
  }
}
