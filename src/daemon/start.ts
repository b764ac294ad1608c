import { digestApiKey } from '../api/core/auth.ts'
import type { Database } from '../store/port/database.ts'
import { formatDatabaseName } from '../store/port/database-url.ts'
import { createTargetGuard } from '../webhooks/ssrf-guard.ts'
import { ensureApiKey, ensureCredentials } from './credentials.ts'
import { openDaemonDatabase } from './daemon-database.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { openDaemonSandboxes } from './daemon-sandboxes.ts'
import { createDashboardMiddleware } from './dashboard/dashboard.ts'
import { createDashboardSessions } from './dashboard/dashboard-sessions.ts'
import { createLoginRoute, getLoginUrl } from './dashboard/dashboard-sign-in.ts'
import { createApiApp } from './http/api-app.ts'
import { isLoopbackUrl, listAllowedHosts } from './http/host-guard.ts'
import { HTTP_SERVER_LIMITS, type HttpListener, openHttpListener } from './http/http-listener.ts'
import { createPagesApp } from './http/pages-app.ts'
import { createRateLimiters } from './http/rate-limit.ts'
import { createStreamRoutes } from './http/stream-routes.ts'
import { SHUTDOWN_TIMEOUT_MS } from './jobs/background-jobs.ts'
import { readLastGrade } from './last-grade.ts'
import { isLoopbackAddress, toLocalUrl } from './local-url.ts'
import {
  type DaemonLocation,
  type DefaultDaemon,
  type PublishedLocation,
  publishLocation,
} from './locator.ts'
import type { SandboxRegistry } from './sandboxes/sandbox-registry.ts'
import { type SandboxRounds, startSandboxRounds } from './sandboxes/sandbox-rounds.ts'
import { removeHomeTemporaries } from './states.ts'
import { syncForwardEndpoints } from './streams/forward-endpoints.ts'
import { monotonicMs } from './system/clock.ts'
import { createIdGenerators } from './system/ids.ts'

const LOOPBACK = '127.0.0.1'

/** A running daemon. */
export interface Daemon extends DefaultDaemon {
  readonly location: DaemonLocation
  /** Whether this start of the server created the database. */
  readonly isNew: boolean
  /** Creates a URL that signs one browser in to the dashboard, once; null on a server without dashboard. */
  readonly newDashboardUrl: (() => string) | null
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
  database?: Database
  sandboxes?: SandboxRegistry
  rounds?: SandboxRounds
  published?: PublishedLocation
}

/** Composition root: opens the database with its sandboxes, binds both ports and starts the background jobs. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const resources: DaemonResources = { listeners: [] }
  try {
    return await assemble(options, resources)
  } catch (error) {
    await close(resources)
    throw error
  }
}

async function close({ listeners, database, sandboxes, rounds, published }: DaemonResources): Promise<void> {
  try {
    // Streams do not end until the server closes them, so close them before the listeners wait for their responses.
    for (const { streams, jobs } of sandboxes?.allOpen() ?? []) {
      streams.hub.close()
      jobs.endEarlyWaits()
    }
    // A client that connects to a server without a published location would report another program at its address, so
    // the listeners stop accepting connections first.
    const closing = listeners.map((listener) => listener.close(SHUTDOWN_TIMEOUT_MS))
    await Promise.all([...closing, published?.withdraw()])
    await rounds?.stop()
    await sandboxes?.close()
  } finally {
    // Close the store even after a failure, because closing writes pending data and releases the lock.
    await database?.close()
  }
}

async function assemble(options: DaemonOptions, resources: DaemonResources): Promise<Daemon> {
  const { host = LOOPBACK, isProxyTrusted = false, isLenient = false, log, pid } = options
  const api = await openListener(options, resources, '--port')
  const checkout = await openListener(options, resources, '--checkout-port')
  await removeHomeTemporaries(options.home)
  const credentials = await ensureCredentials(options.home, createIdGenerators())
  const api_url = toLocalUrl(host, api.port)
  const { database, isNew, clock } = await openDaemonDatabase(options, api_url, (opened) => {
    resources.database = opened
  })
  const { targets = { isPublicOnly: false, allowed: [] } } = options
  const rules = { ...targets, ownPorts: [api.port, checkout.port], ownHost: host }
  const checkoutUrl = options.checkoutUrl ?? toLocalUrl(host, checkout.port)
  const isExposed = !isLoopbackAddress(host)
  const isLocal = !isExposed && isLoopbackUrl(checkoutUrl)
  const sandboxes = await openDaemonSandboxes(options, {
    ...{ database, clock, credentials, checkoutUrl, isLocal, monotonicMs },
    // A proxy on this machine makes the API reachable too.
    isExposed: isExposed || isProxyTrusted || !isLoopbackUrl(options.apiUrl ?? api_url),
    guard: createTargetGuard(rules),
  })
  resources.sandboxes = sandboxes
  const { runtime, streams, pages, jobs } = sandboxes.default
  const { home, apiKey: flagKey, apiUrl = api_url } = options
  const ids = { newApiKey: () => runtime.newApiKey('secret'), newToken: pages.newNonce }
  const location: DaemonLocation = {
    pid,
    api_url,
    public_api_url: options.apiUrl ?? null,
    checkout_url: checkoutUrl,
    api_key: await ensureApiKey(runtime, { home, flagKey, credentials, ids, isExposed }),
    webhook_secret: streams.secret,
    db: options.db === null ? null : formatDatabaseName(options.db),
  }
  await syncForwardEndpoints(runtime, options.forwardTo, streams.secret)
  jobs.start()
  const { onError } = pages
  resources.rounds = startSandboxRounds(sandboxes, clock, { monotonicMs, onError, peers: database.peers })
  const shared = { sandboxes, clock, log, pid, isProxyTrusted }
  const limits = createRateLimiters(options.rateLimit)
  // A listener sends deliveries from its own machine: private addresses are allowed. The ports of the server are forbidden
  // only when the listener runs on the same machine.
  const listenerRules = { ...rules, ownPorts: isLocal ? rules.ownPorts : [], isPublicOnly: false }
  const { requireAllowed: requireTarget } = createTargetGuard(listenerRules)
  const { yieldToEventLoop } = runtime
  const nowMs = clock.unfrozenMs ?? clock.nowMs
  const streamRoutes = createStreamRoutes({ nowMs, requireTarget, yieldToEventLoop, onError })
  const hosts = listAllowedHosts(api.port, [api_url, apiUrl])
  const dashboard = await openDashboard(options, location, sandboxes, apiUrl)
  // Clients need the published secret to verify a response, so publish it before the first response.
  resources.published = await publishLocation(options, location)
  const { serverSecret, replaceEndedDaemons } = resources.published
  api.serve(
    createApiApp({
      ...{ ...shared, ...limits.api, apiUrl, hosts, isLenient, serverSecret },
      routes: [...streamRoutes, ...(dashboard?.routes ?? [])],
      ...(dashboard && {
        createDashboard: (respond) =>
          createDashboardMiddleware({ ...dashboard, port: api.port, streams: streamRoutes }, respond),
      }),
    }),
  )
  const pageHosts = listAllowedHosts(checkout.port, [checkoutUrl])
  checkout.serve(createPagesApp({ ...shared, ...limits.pages, hosts: pageHosts, apiUrl }))
  return {
    ...{ location, isNew, tick: resources.rounds.tick, readyAfterMs: Math.round(monotonicMs()) },
    ...(await replaceEndedDaemons()),
    newestCustomer: () => findNewestCustomer(database),
    newDashboardUrl: dashboard?.newUrl ?? null,
    stop: () => close(resources),
  }
}

async function findNewestCustomer({ defaultStore }: Database): Promise<string | null> {
  return (await defaultStore.list('customers', { limit: 1 })).data[0]?.id ?? null
}

/** Returns the sessions, routes and scenes of the dashboard, or null when the server has no dashboard. */
async function openDashboard(
  { createScenes, home }: DaemonOptions,
  location: DaemonLocation,
  sandboxes: SandboxRegistry,
  apiUrl: string,
) {
  if (createScenes === undefined) return null
  // Login tokens are random even in deterministic mode.
  const sessions = createDashboardSessions({ sandboxes, newToken: createIdGenerators().newToken })
  const { id, runtime } = sandboxes.default
  const own = await runtime.store.get('api_key_digests', digestApiKey(location.api_key))
  return {
    ...{ sessions, scenes: createScenes(location), isSecure: new URL(apiUrl).protocol === 'https:' },
    readGrade: () => readLastGrade(home),
    routes: [createLoginRoute(sessions, apiUrl)],
    newUrl: () => getLoginUrl(apiUrl, sessions.createLogin(id, own?.key ?? '')),
  }
}

async function openListener(
  { host = LOOPBACK, port, checkoutPort, isProxyTrusted = false }: DaemonOptions,
  { listeners }: DaemonResources,
  flag: '--port' | '--checkout-port',
): Promise<HttpListener> {
  // All connections from a proxy have the same address, so the limit per address must not apply.
  const limits = isProxyTrusted ? { maxConnectionsPerAddress: HTTP_SERVER_LIMITS.maxConnections } : {}
  const listener = await openHttpListener({
    host,
    port: flag === '--port' ? port : checkoutPort,
    flag,
    limits,
  })
  listeners.push(listener)
  return listener
}
