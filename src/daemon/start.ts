import { DEFAULT_DUNNING, type Dunning } from '../domain/dunning.ts'
import { createApiKeyUsage } from '../engine/api-key-usage.ts'
import { openRequestLogWriter } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { loadClockState, settledNow } from '../engine/settled-time.ts'
import type { PagesOptions } from '../pages/routes.ts'
import { databaseExists, openStore } from '../store/open-store.ts'
import { databaseDisplayName, isDatabaseUrl, plainTextWarning } from '../store/port/database-url.ts'
import type { Store } from '../store/port/store.ts'
import { createTargetGuard, type TargetGuard, type TargetRules } from '../webhooks/ssrf-guard.ts'
import { createApiApp } from './api-app.ts'
import { type BackgroundJobs, SHUTDOWN_TIMEOUT_MS, startBackgroundJobs } from './background-jobs.ts'
import { type Clock, systemClock, unixSeconds, warnOfClockSkew } from './clock.ts'
import { loadCredentials } from './credentials.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { createDatabaseClock } from './database-clock.ts'
import { syncForwardEndpoints } from './forward-endpoints.ts'
import { allowedHosts, isLoopback } from './host-guard.ts'
import { type HttpListener, type ListenOptions, openHttpListener, SERVER_LIMITS } from './http-listener.ts'
import { createFingerprint, createIds, type Ids } from './ids.ts'
import { createListenerPresence } from './listener-presence.ts'
import { isLoopbackHost, toLocalUrl } from './local-url.ts'
import { type DaemonLocation, type PublishedLocation, publishLocation } from './locator.ts'
import { logInternalError } from './log.ts'
import { createOutageLog } from './outage-log.ts'
import { createPagesApp } from './pages-app.ts'
import { createRateLimiters } from './rate-limit.ts'
import { admitOwnKey, loadWebhookSecret, prepareSandbox, SANDBOX_ID } from './sandbox.ts'
import { createStreamHub, type StreamHub } from './stream-hub.ts'
import { createStreamRoutes } from './stream-routes.ts'
import { createEventLoopYield, nextTurn, sleep, startTicker } from './ticker.ts'

const LOOPBACK = '127.0.0.1'
/** Interval between checks that the database files still exist. */
const FILE_CHECK_MS = 1000
/** Longest time that due jobs run before they yield to queued requests. */
const SLICE_MS = 2

/** A running daemon. */
export interface Daemon {
  readonly location: DaemonLocation
  /** The API URL of the other daemon of this home folder that the CLI finds, or null when it finds this one. */
  readonly foundInstead: string | null
  /** The file, mode 0600, that holds the location with its secrets while the daemon runs. */
  readonly locationFile: string
  /** Whether this start created the database. */
  readonly isNew: boolean
  /** Milliseconds from the start of the process until the daemon accepted requests. */
  readonly readyAfterMs: number
  /** Runs due jobs and deliveries now; for tests that move the clock. */
  readonly tick: () => Promise<void>
  /** Finishes running requests and deliveries, and resolves when the database and the ports are free. */
  readonly stop: () => Promise<void>
}

/** Resources opened so far; close() releases them in reverse order of dependency. */
interface DaemonResources {
  readonly listeners: HttpListener[]
  store: Store | null
  hub: StreamHub | null
  jobs: BackgroundJobs | null
  published: PublishedLocation | null
}

/** Composition root: opens the store, binds both ports and starts the background jobs. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const resources: DaemonResources = { listeners: [], store: null, hub: null, jobs: null, published: null }
  try {
    return await assemble(options, resources)
  } catch (error) {
    await close(resources)
    throw error
  }
}

async function close({ listeners, store, hub, jobs, published }: DaemonResources): Promise<void> {
  try {
    await published?.withdraw()
    // Streams never end by themselves, so close them before the listeners wait for their responses.
    hub?.close()
    await Promise.all(listeners.map((listener) => listener.close(SHUTDOWN_TIMEOUT_MS)))
    await jobs?.stop()
  } finally {
    // Closing the store writes pending data and releases the lock, so it happens after any failure.
    await store?.close()
  }
}

async function assemble(options: DaemonOptions, resources: DaemonResources): Promise<Daemon> {
  const { ids = createIds(), host = LOOPBACK, businessName = null, isProxyTrusted = false } = options
  const api = await openListener(resources, { host, port: options.port, flag: '--port' }, isProxyTrusted)
  const pagesAddress = { host, port: options.checkoutPort, flag: '--checkout-port' }
  const checkout = await openListener(resources, pagesAddress, isProxyTrusted)
  const credentials = await loadCredentials(options.home, createIds())
  const url = toLocalUrl(host, api.port)
  const { store, isNew, clock } = await openDatabase(options, { ids, url, resources })
  const { home, apiKey: flagKey, isServiceRunning, processStart = null } = options
  const isExposed = !isLoopbackHost(host)
  const ownKey = { home, flagKey, credentials, ids, now: unixSeconds(clock), isExposed }
  const location: DaemonLocation = {
    pid: options.pid,
    api_url: url,
    public_api_url: options.apiUrl ?? null,
    checkout_url: options.checkoutUrl ?? toLocalUrl(host, checkout.port),
    api_key: await admitOwnKey(store, ownKey),
    webhook_secret:
      options.webhookSecret ?? (await loadWebhookSecret(store, ids, credentials.webhook_secret)),
    db: options.db === null ? null : databaseDisplayName(options.db),
  }
  const { dunning = DEFAULT_DUNNING, targets = { isPublicOnly: false, allowed: [] } } = options
  const rules = { ...targets, ownPorts: [api.port, checkout.port], ownHost: host }
  const guard = createTargetGuard(rules)
  const { runtime, formKey, salt } = await openRuntime(store, { location, clock, ids, dunning, guard })
  await syncForwardEndpoints(runtime, options.forwardTo, location.webhook_secret)
  const { log } = options
  const onInternalError = (error: unknown) => logInternalError(log, clock, 'background job failed', error)
  const { onError, onSuccess } = createOutageLog(log, clock.nowMs, onInternalError)
  const requestLogs = await openRequestLogWriter(store, () => settledNow(runtime))
  const keyUsage = createApiKeyUsage(store, runtime.wallNow)
  const hub = createStreamHub(clock.nowMs, onError)
  resources.hub = hub
  const presence = createListenerPresence(store.coordinator, monotonicMs)
  const jobs = startBackgroundJobs(runtime, {
    ...{ log, retries: options.retries, buffers: [requestLogs, keyUsage] },
    ...{ clock, ids, guard, hub, presence, monotonicMs, onError, onSuccess },
  })
  resources.jobs = jobs
  store.coordinator?.onChange(jobs.wake)
  const isLocal = !isExposed && isLoopback(location.checkout_url)
  const pages: PagesOptions = { runtime, isLocal, businessName, formKey, newNonce: ids.newToken, onError }
  const { isLenient = false, apiUrl = location.api_url } = options
  const shared = { runtime, clock, log, onChange: jobs.wake, pid: options.pid, isProxyTrusted }
  const apiHosts = allowedHosts(api.port, [location.api_url, ...(options.apiUrl ? [options.apiUrl] : [])])
  const limits = createRateLimiters(options.rateLimit)
  const routes = createStreamRoutes({
    ...{ runtime, hub, presence, requestLogs, nowMs: clock.nowMs },
    ...{ secret: location.webhook_secret, salt, newToken: ids.newToken, onChange: jobs.wake, onError },
    requireTarget: createListenerTargetRule(rules, isLocal),
  })
  const apiOptions = { apiUrl, hosts: apiHosts, ...limits.api, isLenient, requestLogs, keyUsage, routes }
  api.serve(createApiApp({ ...shared, ...apiOptions }))
  const pageHosts = allowedHosts(checkout.port, [location.checkout_url])
  checkout.serve(createPagesApp({ ...shared, ...limits.pages, pages, hosts: pageHosts }))
  // Always random: seeded ids would give two services of one home folder the same file name.
  const publishOptions = { newSuffix: createIds().newToken, isServiceRunning, processStart }
  resources.published = await publishLocation(home, location, publishOptions)
  const { foundInstead, file: locationFile } = resources.published
  const readyAfterMs = Math.round(performance.now())
  const description = { location, foundInstead, locationFile, isNew, readyAfterMs }
  return { ...description, tick: jobs.tick, stop: () => close(resources) }
}

// A listener sends from its own machine: private addresses are allowed, and the ports of the server are forbidden only
// when both run on one machine.
function createListenerTargetRule(
  { ownPorts, ...rules }: TargetRules,
  isLocal: boolean,
): TargetGuard['requireAllowed'] {
  return createTargetGuard({ ...rules, ownPorts: isLocal ? ownPorts : [], isPublicOnly: false })
    .requireAllowed
}

async function openListener(resources: DaemonResources, address: ListenOptions, isProxyTrusted = false) {
  // All connections from a proxy have its address, so the limit per address must not apply.
  const limits = isProxyTrusted ? { maxConnectionsPerAddress: SERVER_LIMITS.maxConnections } : {}
  const listener = await openHttpListener({ ...address, limits })
  resources.listeners.push(listener)
  return listener
}

const monotonicMs = () => performance.now()

async function openDatabase(
  options: DaemonOptions,
  { ids, url, resources }: { readonly ids: Ids; readonly url: string; readonly resources: DaemonResources },
): Promise<{ readonly store: Store; readonly isNew: boolean; readonly clock: Clock }> {
  const { machineClock = systemClock, log, db } = options
  const isNewFile = db !== null && !isDatabaseUrl(db) && (options.isReset === true || !databaseExists(db))
  const note = (level: 'info' | 'error' | 'fatal') => (message: string) =>
    log({ at_ms: machineClock.nowMs(), level, message })
  let lastCheckError = ''
  const onCheckError = (error: unknown) => {
    // Logs an error once instead of every second.
    if (lastCheckError !== String(error)) note('error')(`Cannot check the database files: ${error}`)
    lastCheckError = String(error)
  }
  const databaseClock = createDatabaseClock(monotonicMs)
  const store = await openStore({
    file: db,
    ...(options.isReset === undefined ? {} : { isReset: options.isReset }),
    newSuffix: ids.newToken,
    sampleClock: databaseClock.measure,
    pause: sleep,
    scheduling: { yieldToEventLoop: nextTurn, monotonicMs },
    holder: { pid: options.pid, url },
    onNote: note('info'),
    poll: (check) => startTicker(check, { everyMs: FILE_CHECK_MS, onError: onCheckError }),
    onFilesLost: note('error'),
    ...(options.onLoading === undefined ? {} : { onProgress: options.onLoading }),
    onBroken: (error) => {
      note('fatal')(`The disk failed: ${String(error)}. The service stops, because it cannot store changes.`)
      options.onBroken?.()
    },
  })
  resources.store = store
  const warning = db !== null && isDatabaseUrl(db) ? plainTextWarning(db) : null
  if (warning !== null) note('info')(warning)
  const shared = databaseClock.isMeasured() ? databaseClock : null
  if (shared !== null && options.clock === undefined) warnOfClockSkew(machineClock, shared, note('info'))
  const clock = options.clock ?? shared ?? machineClock
  const isNew = isNewFile || (store.coordinator !== undefined && (await isNewDatabase(store)))
  return { store, clock, isNew }
}

async function isNewDatabase(store: Store): Promise<boolean> {
  return (await store.get('sandboxes', SANDBOX_ID)) === null
}

interface OpenRuntimeOptions {
  readonly location: DaemonLocation
  readonly clock: Clock
  readonly ids: Ids
  readonly dunning: Dunning
  readonly guard: TargetGuard
}

async function openRuntime(
  store: Store,
  { location, clock, ids, dunning, guard }: OpenRuntimeOptions,
): Promise<{ readonly runtime: Runtime; readonly formKey: string; readonly salt: string }> {
  const sandbox = await prepareSandbox(store, ids)
  await loadClockState(store)
  const runtime: Runtime = {
    store,
    wallNow: () => unixSeconds(clock),
    newId: ids.newId,
    fingerprint: createFingerprint(sandbox.fingerprint_salt),
    newWebhookSecret: ids.newWebhookSecret,
    newApiKey: ids.newApiKey,
    publicIdempotencyKey: ids.publicIdempotencyKey,
    requireAllowedUrl: guard.requireAllowed,
    checkoutUrl: location.checkout_url,
    dunning,
    yieldToEventLoop: createEventLoopYield(SLICE_MS, monotonicMs),
  }
  return { runtime, formKey: sandbox.form_key, salt: sandbox.fingerprint_salt }
}
