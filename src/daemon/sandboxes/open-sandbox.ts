import { type Authenticator, createAuthenticator } from '../../api/core/auth.ts'
import type { ServerBrand } from '../../domain/branding/branding.ts'
import type { Dunning } from '../../domain/core/dunning.ts'
import { toSandboxKey } from '../../domain/sandboxes/api-keys.ts'
import { requireQuota } from '../../domain/sandboxes/sandbox-quotas.ts'
import type { SandboxSecrets } from '../../domain/sandboxes/sandbox-secrets.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { Admit } from '../../engine/admission.ts'
import { type ApiKeyUsage, createApiKeyUsage } from '../../engine/api-key-usage.ts'
import { createFaultRules } from '../../engine/fault-rules.ts'
import { openRequestLogWriter, type RequestLogWriter } from '../../engine/request-logs.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { loadClockState, settledNow } from '../../engine/settled-time.ts'
import type { PagesOptions } from '../../pages/routes.ts'
import type { Store } from '../../store/port/store.ts'
import type { TargetGuard } from '../../webhooks/ssrf-guard.ts'
import { type BackgroundJobs, createBackgroundJobs } from '../jobs/background-jobs.ts'
import { createSandboxStreams, type SandboxStreams } from '../streams/sandbox-streams.ts'
import { type Clock, unixSeconds } from '../system/clock.ts'
import { createFingerprint, type Ids } from '../system/ids.ts'
import type { Log } from '../system/log.ts'
import { createOutageLog } from '../system/outage-log.ts'
import { createRequestCount, type RequestCount } from './request-count.ts'
import { type WatchOptions, watchSandbox } from './sandbox-watch.ts'
import type { ServerCapacity } from './server-capacity.ts'
import type { ServerLimits } from './server-limits.ts'

/** The services that all sandboxes of a daemon share. */
export interface SharedServices {
  readonly clock: Clock
  readonly log: Log
  readonly guard: TargetGuard
  readonly dunning: Dunning
  /** Retry schedule of deliveries, such as `1s,5s,30s`; `none` disables retries. */
  readonly retries: string | 'default' | 'none'
  readonly brand: ServerBrand
  /** Whether only this machine can open the hosted pages. */
  readonly isLocal: boolean
  /** Whether other machines can reach the API. */
  readonly isExposed: boolean
  /** One function for all sandboxes, so that their jobs share the slices of the event loop. */
  readonly yieldToEventLoop: () => Promise<void>
  readonly monotonicMs: () => number
  /** Returns the queues of a sandbox for expensive requests. */
  readonly admissionOf: (sandbox: string) => Admit
  readonly limits: Pick<ServerLimits, 'quotas' | 'maxOpen'>
  readonly capacity: ServerCapacity
}

/** A sandbox that serves requests. */
export interface OpenSandbox {
  readonly id: string
  /** Whether it is stored durably, so that it can be closed to free its memory; false for the default sandbox. */
  readonly isDurable: boolean
  readonly runtime: Runtime
  readonly authenticate: Authenticator
  readonly requestLogs: RequestLogWriter
  readonly keyUsage: ApiKeyUsage
  readonly streams: SandboxStreams
  readonly pages: PagesOptions
  readonly jobs: BackgroundJobs
  /** The requests that this process currently executes in the sandbox. */
  readonly requests: RequestCount
}

export interface OpenSandboxOptions extends Pick<Runtime, 'checkoutUrl' | 'sandboxes'> {
  readonly id: string
  readonly isDurable?: boolean
  readonly store: Store
  readonly ids: Ids
  readonly secrets: SandboxSecrets
  /** Signs the deliveries of listeners. */
  readonly webhookSecret: string
  /** The runtime of the default sandbox; undefined for that sandbox itself. */
  readonly registry?: Runtime
  /** Called when another process resets or deletes the sandbox; undefined for the default sandbox. */
  readonly onEnd?: WatchOptions['onEnd']
}

/** Opens a sandbox on its store. Its background jobs do not run yet. */
export async function openSandbox(shared: SharedServices, options: OpenSandboxOptions): Promise<OpenSandbox> {
  const { id, store, ids, secrets, webhookSecret, checkoutUrl, sandboxes, registry, onEnd } = options
  const { clock, log, guard, dunning, yieldToEventLoop, monotonicMs, isLocal, isExposed, brand } = shared
  await loadClockState(store)
  const wallNow = () => unixSeconds(clock)
  const runtime: Runtime = {
    ...{ store, wallNow, faults: createFaultRules(store, wallNow) },
    newId: ids.newId,
    fingerprint: createFingerprint(secrets.fingerprint_salt),
    newWebhookSecret: ids.newWebhookSecret,
    newApiKey: (kind) => toSandboxKey(ids.newApiKey(kind), id),
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
  const requestLogs = await openRequestLogWriter(store, () => settledNow(runtime))
  const keyUsage = createApiKeyUsage(store, runtime.wallNow)
  const streams = createSandboxStreams(runtime, { id, secrets, webhookSecret, clock, monotonicMs, onError })
  const jobs = createBackgroundJobs(runtime, {
    ...{ log, clock, ids, guard, monotonicMs, onError, onSuccess },
    ...{ retries: shared.retries, buffers: [requestLogs, keyUsage] },
    ...{ hub: streams.hub, presence: streams.presence, isDefault: id === DEFAULT_SANDBOX },
  })
  if (onEnd === undefined) store.coordinator?.onChange(jobs.wake)
  else {
    const { hasReaders } = streams.hub
    watchSandbox(store, { reset: secrets.reset?.id, hasReaders, onChange: jobs.wake, onEnd, onError })
  }
  return {
    ...{ id, isDurable: options.isDurable === true },
    runtime,
    authenticate: createAuthenticator(),
    requestLogs,
    keyUsage,
    streams,
    pages: { runtime, isLocal, brand, formKey: secrets.form_key, newNonce: ids.newToken, onError },
    jobs,
    requests: createRequestCount(),
  }
}

// The default sandbox has no quotas, because its keys belong to the operator of the server, who can set every limit.
function createRoomRules(
  { capacity, limits: { quotas } }: SharedServices,
  id: string,
  store: Store,
): Pick<Runtime, 'requireRoom' | 'quotas'> {
  if (id === DEFAULT_SANDBOX) return { requireRoom: capacity.requireRoom }
  return {
    quotas,
    requireRoom() {
      capacity.requireRoom()
      const { records, bytes } = store.usage()
      requireQuota('objects', records, quotas.objects)
      requireQuota('bytes', bytes, quotas.bytes)
    },
  }
}
