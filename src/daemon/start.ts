import { DEFAULT_DUNNING } from '../domain/dunning.ts'
import type { SandboxSecrets } from '../domain/sandbox-secrets.ts'
import { createApiKeyUsage } from '../engine/api-key-usage.ts'
import { isNewDatabase, prepareSandbox } from '../engine/prepare-sandbox.ts'
import { openRequestLogWriter } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { loadClockState, settledNow } from '../engine/settled-time.ts'
import type { PagesOptions } from '../pages/routes.ts'
import { databaseExists, openStore } from '../store/open-store.ts'
import { databaseDisplayName, isDatabaseUrl, plainTextWarning } from '../store/port/database-url.ts'
import type { Store } from '../store/port/store.ts'
import { createTargetGuard, type TargetGuard, type TargetRules } from '../webhooks/ssrf-guard.ts'
import { type BackgroundJobs, SHUTDOWN_TIMEOUT_MS, startBackgroundJobs } from './background-jobs.ts'
import { admitOwnKey, type Credentials, loadCredentials } from './credentials.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { createDatabaseClock } from './database-clock.ts'
import { createApiApp } from './http/api-app.ts'
import { allowedHosts, isLoopback } from './http/host-guard.ts'
import { type HttpListener, openHttpListener, SERVER_LIMITS } from './http/http-listener.ts'
import { createPagesApp } from './http/pages-app.ts'
import { createRateLimiters } from './http/rate-limit.ts'
import { isLoopbackHost, toLocalUrl } from './local-url.ts'
import { type DaemonLocation, type PublishedLocation, publishLocation } from './locator.ts'
import { syncForwardEndpoints } from './streams/forward-endpoints.ts'
import { createListenerPresence } from './streams/listener-presence.ts'
import { createStreamHub, type StreamHub } from './streams/stream-hub.ts'
import { createStreamRoutes } from './streams/stream-routes.ts'
import { type Clock, systemClock, unixSeconds, warnOfClockSkew } from './system/clock.ts'
import { createFingerprint, createIds, type Ids } from './system/ids.ts'
import { createOutageLog } from './system/outage-log.ts'
import { createEventLoopYield, nextTurn, sleep, startTicker } from './system/ticker.ts'

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
  /** Returns the id of the newest customer, or null without customers. */
  readonly newestCustomer: () => Promise<string | null>
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
  const api = await openListener(options, resources, '--port')
  const checkout = await openListener(options, resources, '--checkout-port')
  const credentials = await loadCredentials(options.home, createIds())
  const api_url = toLocalUrl(host, api.port)
  const { store, isNew, clock } = await openDatabase(options, { ids, url: api_url, resources })
  const { targets = { isPublicOnly: false, allowed: [] } } = options
  const rules = { ...targets, ownPorts: [api.port, checkout.port], ownHost: host }
  const guard = createTargetGuard(rules)
  const checkoutUrl = options.checkoutUrl ?? toLocalUrl(host, checkout.port)
  const { runtime, secrets, webhookSecret } = await openRuntime(options, {
    ...{ store, clock, ids, credentials, guard, checkoutUrl },
  })
  const { home, apiKey: flagKey } = options
  const isExposed = !isLoopbackHost(host)
  const location: DaemonLocation = {
    pid: options.pid,
    api_url,
    public_api_url: options.apiUrl ?? null,
    checkout_url: checkoutUrl,
    api_key: await admitOwnKey(runtime, { home, flagKey, credentials, ids, isExposed }),
    webhook_secret: webhookSecret,
    db: options.db === null ? null : databaseDisplayName(options.db),
  }
  await syncForwardEndpoints(runtime, options.forwardTo, webhookSecret)
  const { log } = options
  const { onError, onSuccess } = createOutageLog(log, clock)
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
  const isLocal = !isExposed && isLoopback(checkoutUrl)
  const formKey = secrets.form_key
  const pages: PagesOptions = { runtime, isLocal, businessName, formKey, newNonce: ids.newToken, onError }
  const { isLenient = false, apiUrl = api_url } = options
  const shared = { runtime, clock, log, onChange: jobs.wake, pid: options.pid, isProxyTrusted }
  const limits = createRateLimiters(options.rateLimit)
  const routes = createStreamRoutes({
    ...{ runtime, hub, presence, requestLogs, nowMs: clock.nowMs },
    ...{ secret: webhookSecret, salt: secrets.fingerprint_salt, newToken: ids.newToken, onError },
    onChange: jobs.wake,
    requireTarget: createListenerTargetRule(rules, isLocal),
  })
  const apiOptions = {
    apiUrl,
    hosts: allowedHosts(api.port, [api_url, apiUrl]),
    ...limits.api,
    isLenient,
    requestLogs,
    keyUsage,
    routes,
  }
  api.serve(createApiApp({ ...shared, ...apiOptions }))
  const pageHosts = allowedHosts(checkout.port, [checkoutUrl])
  checkout.serve(createPagesApp({ ...shared, ...limits.pages, pages, hosts: pageHosts }))
  const published = await publish(options, location, resources)
  const newestCustomer = async () => (await store.list('customers', { limit: 1 })).data[0]?.id ?? null
  return { location, ...published, isNew, newestCustomer, tick: jobs.tick, stop: () => close(resources) }
}

async function publish(
  { home, isServiceRunning, processStart = null }: DaemonOptions,
  location: DaemonLocation,
  resources: DaemonResources,
): Promise<Pick<Daemon, 'foundInstead' | 'locationFile' | 'readyAfterMs'>> {
  // Always random: seeded ids would give two servers of one home folder the same file name.
  const newSuffix = createIds().newToken
  const published = await publishLocation(home, location, { newSuffix, isServiceRunning, processStart })
  resources.published = published
  const { foundInstead, file: locationFile } = published
  return { foundInstead, locationFile, readyAfterMs: Math.round(performance.now()) }
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

async function openListener(
  { host = LOOPBACK, port, checkoutPort, isProxyTrusted = false }: DaemonOptions,
  { listeners }: DaemonResources,
  flag: '--port' | '--checkout-port',
): Promise<HttpListener> {
  // All connections from a proxy have its address, so the limit per address must not apply.
  const limits = isProxyTrusted ? { maxConnectionsPerAddress: SERVER_LIMITS.maxConnections } : {}
  const listener = await openHttpListener({
    host,
    port: flag === '--port' ? port : checkoutPort,
    flag,
    limits,
  })
  listeners.push(listener)
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
      note('fatal')(`The disk failed: ${String(error)}. The server stops, because it cannot store changes.`)
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

interface OpenRuntimeOptions extends Pick<Runtime, 'store' | 'checkoutUrl'> {
  readonly clock: Clock
  readonly ids: Ids
  readonly guard: TargetGuard
  readonly credentials: Credentials
}

/** Returns the runtime, with the secrets of its sandbox and the secret that signs forwarded deliveries. */
async function openRuntime(
  { webhookSecret, dunning = DEFAULT_DUNNING }: DaemonOptions,
  { store, clock, ids, guard, credentials, checkoutUrl }: OpenRuntimeOptions,
): Promise<{ readonly runtime: Runtime; readonly secrets: SandboxSecrets; readonly webhookSecret: string }> {
  const isShared = store.coordinator !== undefined && webhookSecret === undefined
  const own = credentials.webhook_secret
  const secrets = await prepareSandbox(store, ids.newToken, isShared ? own : undefined)
  await loadClockState(store)
  const runtime: Runtime = {
    store,
    wallNow: () => unixSeconds(clock),
    newId: ids.newId,
    fingerprint: createFingerprint(secrets.fingerprint_salt),
    newWebhookSecret: ids.newWebhookSecret,
    newApiKey: ids.newApiKey,
    publicIdempotencyKey: ids.publicIdempotencyKey,
    requireAllowedUrl: guard.requireAllowed,
    checkoutUrl,
    dunning,
    yieldToEventLoop: createEventLoopYield(SLICE_MS, monotonicMs),
  }
  const sharedSecret = isShared ? secrets.webhook_secret : undefined
  return { runtime, secrets, webhookSecret: webhookSecret ?? sharedSecret ?? own }
}
