import { DEFAULT_DUNNING, type Dunning } from '../domain/dunning.ts'
import { createKeyUses } from '../engine/key-uses.ts'
import { openRequestLogs } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { loadClockState, settledNow } from '../engine/settled-time.ts'
import type { Pages } from '../pages/routes.ts'
import { hasDatabase, openStore } from '../store/open.ts'
import { isDatabaseUrl, nameOfDatabase, plainTextWarning } from '../store/port/database-url.ts'
import type { Store } from '../store/port/store.ts'
import { createTargetGuard, type TargetGuard, type TargetRules } from '../webhooks/ssrf-guard.ts'
import { createApiApp } from './api-app.ts'
import { CLOSING_LIMIT_MS, startWork, type Work } from './background-jobs.ts'
import { type Clock, systemClock, unixSeconds, warnOfSkew } from './clock.ts'
import { loadCredentials } from './credentials.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { createDatabaseClock } from './database-clock.ts'
import { logBug } from './error-handler.ts'
import { forwardTo } from './forwarding.ts'
import { allowedHosts, isLoopback } from './host-guard.ts'
import { createFingerprint, createIds, type Ids } from './ids.ts'
import { type Address, type Listener, listen, SERVER_LIMITS } from './listen.ts'
import { isOnlyLocal, localUrl } from './local-url.ts'
import { type Location, type Published, publishLocation } from './locator.ts'
import { createOutage } from './outage.ts'
import { createPagesApp } from './pages-app.ts'
import { createPresence } from './presence.ts'
import { createRateLimits } from './rate-limit.ts'
import { admitOwnKey, prepareSandbox, SANDBOX, webhookSecretOf } from './sandbox.ts'
import { createStreamHub, type StreamHub } from './stream-hub.ts'
import { streamRoutes } from './stream-routes.ts'
import { createEventLoopYield, nextTurn, startTicker, waitFor } from './ticker.ts'

const LOOPBACK = '127.0.0.1'
/** How often the files of the database are looked at. */
const WATCH_MS = 1000
/** How long what time does may hold up requests that came meanwhile. */
const SLICE_MS = 2

/** A daemon that answers. */
export interface Daemon {
  readonly location: Location
  /** The address of another daemon of this home that the command line finds in place of this one, or null. */
  readonly foundInstead: string | null
  /** The file, mode 0600, that holds the location with its secrets while the daemon runs. */
  readonly locationFile: string
  /** Whether the database was made by this start. */
  readonly isNew: boolean
  /** Milliseconds from the start of the process until it answered. */
  readonly readyAfterMs: number
  /** Does at once what the ticker does from time to time: what time made due, and deliveries; for moved clocks. */
  readonly tick: () => Promise<void>
  /** Finishes running requests and deliveries, and resolves when the database and the ports are free. */
  readonly stop: () => Promise<void>
}

/** What is open so far, to be closed in reverse order of who needs whom. */
interface Opened {
  readonly listeners: Listener[]
  store: Store | null
  hub: StreamHub | null
  work: Work | null
  published: Published | null
}

/** Puts the process together: opens the store, listens on both addresses, and lets time work. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const opened: Opened = { listeners: [], store: null, hub: null, work: null, published: null }
  try {
    return await assemble(options, opened)
  } catch (error) {
    await close(opened)
    throw error
  }
}

async function close({ listeners, store, hub, work, published }: Opened): Promise<void> {
  try {
    await published?.withdraw()
    // Whoever reads the stream would otherwise never be done.
    hub?.close()
    await Promise.all(listeners.map((listener) => listener.close(CLOSING_LIMIT_MS)))
    await work?.stop()
  } finally {
    // Whatever else fails: what was answered is on disk, and the database is free again.
    await store?.close()
  }
}

async function assemble(options: DaemonOptions, opened: Opened): Promise<Daemon> {
  const { ids = createIds(), host = LOOPBACK, businessName = null } = options
  const api = await listenFor(opened, { host, port: options.port, flag: '--port' }, options)
  const pagesAddress = { host, port: options.checkoutPort, flag: '--checkout-port' }
  const checkout = await listenFor(opened, pagesAddress, options)
  const credentials = await loadCredentials(options.home, createIds())
  const url = localUrl(host, api.port)
  const { store, isNew, clock } = await openDatabase(options, { ids, url, opened })
  const { home, apiKey: given, isServed, processStart = null } = options
  const own = { home, given, credentials, ids, now: unixSeconds(clock), isExposed: !isOnlyLocal(host) }
  const location: Location = {
    pid: options.pid,
    api_url: url,
    public_api_url: options.apiUrl ?? null,
    checkout_url: options.checkoutUrl ?? localUrl(host, checkout.port),
    api_key: await admitOwnKey(store, own),
    webhook_secret:
      options.webhookSecret ?? (await webhookSecretOf(store, { ids, own: credentials.webhook_secret })),
    db: options.db === null ? null : nameOfDatabase(options.db),
  }
  const { dunning = DEFAULT_DUNNING, targets = { isPublicOnly: false, allowed: [] } } = options
  const rules = { ...targets, ownPorts: [api.port, checkout.port], ownHost: host }
  const guard = createTargetGuard(rules)
  const { runtime, formKey, salt } = await openRuntime(store, { location, clock, ids, dunning, guard })
  await forwardTo(runtime, options.forwardTo, location.webhook_secret)
  const onBug = (error: unknown) => logBug(options.log, clock, { message: 'background work failed', error })
  const { onError, over: onDone } = createOutage({ log: options.log, nowMs: clock.nowMs, onBug })
  const requestLogs = await openRequestLogs(store, () => settledNow(runtime))
  const keyUses = createKeyUses(store, runtime.wallNow)
  const hub = createStreamHub({ nowMs: clock.nowMs, onError })
  opened.hub = hub
  const presence = createPresence(store.sharing, { monotonicMs })
  const beside = { clock, ids, guard, hub, presence, monotonicMs, onError, onDone }
  const work = startWork(runtime, { ...options, ...beside, notes: [requestLogs, keyUses] })
  opened.work = work
  store.sharing?.onChange(work.kick)
  const isLocal = isOnlyLocal(host) && isLoopback(location.checkout_url)
  const pages: Pages = { runtime, isLocal, businessName, formKey, newNonce: ids.newToken, onError }
  const { isLenient = false, isProxyTrusted = false, apiUrl = location.api_url } = options
  const shared = { runtime, clock, log: options.log, onChange: work.kick, pid: options.pid, isProxyTrusted }
  const apiHosts = allowedHosts(api.port, [location.api_url, ...(options.apiUrl ? [options.apiUrl] : [])])
  const limits = createRateLimits(options.rateLimit)
  const asked = { apiUrl, hosts: apiHosts, ...limits.api, isLenient, requestLogs, keyUses }
  const stream = {
    hub,
    presence,
    nowMs: clock.nowMs,
    secret: location.webhook_secret,
    salt,
    newToken: ids.newToken,
    ...{ keyUses, requestLogs, limit: limits.api.limit, requireTarget: listenerRule(rules, isLocal) },
  }
  const routes = streamRoutes({ ...stream, runtime, onChange: work.kick, onError })
  api.serve(createApiApp({ ...shared, ...asked, routes }))
  const pageHosts = allowedHosts(checkout.port, [location.checkout_url])
  checkout.serve(createPagesApp({ ...shared, ...limits.pages, pages, hosts: pageHosts }))
  // What only looks random may be the same in another service of this home.
  const publishing = { newSuffix: createIds().newToken, isServed, processStart }
  opened.published = await publishLocation(home, location, publishing)
  const { foundInstead, file: locationFile } = opened.published
  const about = { location, foundInstead, locationFile, isNew, readyAfterMs: Math.round(performance.now()) }
  return { ...about, tick: work.tick, stop: () => close(opened) }
}

// A listener sends from its own machine, so private addresses are not the server's to protect, and the ports are the
// server's own only where both are on one machine.
function listenerRule({ ownPorts, ...rules }: TargetRules, isLocal: boolean): TargetGuard['require'] {
  return createTargetGuard({ ...rules, ownPorts: isLocal ? ownPorts : [], isPublicOnly: false }).require
}

async function listenFor({ listeners }: Opened, address: Address, { isProxyTrusted }: DaemonOptions) {
  // Behind a proxy all connections are from its address.
  const limits = isProxyTrusted ? { maxConnectionsPerAddress: SERVER_LIMITS.maxConnections } : {}
  const listener = await listen({ ...address, limits })
  listeners.push(listener)
  return listener
}

const monotonicMs = () => performance.now()

async function openDatabase(
  options: DaemonOptions,
  { ids, url, opened }: { readonly ids: Ids; readonly url: string; readonly opened: Opened },
): Promise<{ readonly store: Store; readonly isNew: boolean; readonly clock: Clock }> {
  const { machineClock = systemClock, log, db } = options
  const isNewFile = db !== null && !isDatabaseUrl(db) && (options.isReset === true || !hasDatabase(db))
  const note = (level: 'info' | 'error' | 'fatal') => (message: string) =>
    log({ at_ms: machineClock.nowMs(), level, message })
  let watchError = ''
  const onWatchError = (error: unknown) => {
    // Once, and not every second.
    if (watchError !== String(error)) note('error')(`The database files could not be checked: ${error}`)
    watchError = String(error)
  }
  const databaseClock = createDatabaseClock(monotonicMs)
  const store = await openStore({
    file: db,
    ...(options.isReset === undefined ? {} : { isReset: options.isReset }),
    newSuffix: ids.newToken,
    measureTime: databaseClock.measure,
    pause: waitFor,
    clockwork: { pause: nextTurn, monotonicMs },
    holder: { pid: options.pid, url },
    onNote: note('info'),
    watch: (look) => startTicker(look, { everyMs: WATCH_MS, onError: onWatchError }),
    onLost: note('error'),
    ...(options.onLoading === undefined ? {} : { onProgress: options.onLoading }),
    onBroken: (error) => {
      note('fatal')(
        `The disk failed: ${String(error)}. Stopping, so that nothing is told that is not stored.`,
      )
      options.onBroken?.()
    },
  })
  // Whatever fails from here on, it is closed.
  opened.store = store
  const warning = db !== null && isDatabaseUrl(db) ? plainTextWarning(db) : null
  if (warning !== null) note('info')(warning)
  const shared = databaseClock.isSet() ? databaseClock : null
  if (shared !== null && options.clock === undefined) warnOfSkew(machineClock, shared, note('info'))
  const clock = options.clock ?? shared ?? machineClock
  return { store, clock, isNew: isNewFile || (store.sharing !== undefined && (await isUntouched(store))) }
}

async function isUntouched(store: Store): Promise<boolean> {
  return (await store.get('sandboxes', SANDBOX)) === null
}

interface Opening {
  readonly location: Location
  readonly clock: Clock
  readonly ids: Ids
  readonly dunning: Dunning
  readonly guard: TargetGuard
}

async function openRuntime(
  store: Store,
  { location, clock, ids, dunning, guard }: Opening,
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
    requireTarget: guard.require,
    checkoutUrl: location.checkout_url,
    dunning,
    yieldToEventLoop: createEventLoopYield(SLICE_MS, monotonicMs),
  }
  return { runtime, formKey: sandbox.form_key, salt: sandbox.fingerprint_salt }
}
