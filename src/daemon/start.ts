import { drainDeadlines } from '../engine/deadlines.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { Pages } from '../pages/routes.ts'
import { openStore } from '../store/open.ts'
import { DEFAULT_SCHEDULE, parseSchedule, type Schedule } from '../webhooks/schedule.ts'
import { createSender } from '../webhooks/send.ts'
import { createWebhookWorker } from '../webhooks/worker.ts'
import { createApiApp, logBug } from './api-app.ts'
import { type Clock, systemClock, unixSeconds } from './clock.ts'
import { loadCredentials } from './credentials.ts'
import { forwardTo } from './forwarding.ts'
import { allowedHosts } from './host-guard.ts'
import { createFingerprint, createIds, type Ids } from './ids.ts'
import { closeServer, listen, serveApp } from './listen.ts'
import { type Location, publishLocation, withdrawLocation } from './locator.ts'
import type { Log } from './log.ts'
import { createPagesApp } from './pages-app.ts'
import { admitKey, prepareSandbox } from './sandbox.ts'
import { startTicker, withinTime } from './ticker.ts'

const HOST = '127.0.0.1'
const TICK_MS = 250
const CLOSING_LIMIT_MS = 5000

export interface DaemonOptions {
  /** Folder for credentials and the locator file. */
  readonly home: string
  /** Path of the database file, null for memory. */
  readonly db: string | null
  /** Ports of the API and the hosted pages; 0 takes a free one. */
  readonly port: number
  readonly checkoutPort: number
  /** Where buyers reach the pages, when that is not the local address. */
  readonly checkoutUrl?: string
  /** A key to admit in place of the home folder's own. */
  readonly apiKey?: string
  readonly forwardTo: readonly string[]
  /** Waits between delivery attempts such as `1s,5s,30s`, or the default ones, or no second attempt. */
  readonly retries: string | 'default' | 'none'
  readonly log: Log
  readonly pid: number
  readonly clock?: Clock
  readonly ids?: Ids
}

/** A daemon that answers. */
export interface Daemon {
  readonly location: Location
  /** Milliseconds from the start of the process until it answered. */
  readonly readyAfterMs: number
  /** Does at once what the ticker does from time to time: what time made due, and deliveries; for moved clocks. */
  readonly tick: () => Promise<void>
  /** Finishes running requests and deliveries, and resolves when the database and the ports are free. */
  readonly stop: () => Promise<void>
}

/** Puts the process together: opens the store, listens on both addresses, and lets time work. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { clock = systemClock, ids = createIds() } = options
  const api = await listen({ host: HOST, port: options.port, flag: '--port' })
  const checkout = await listen({ host: HOST, port: options.checkoutPort, flag: '--checkout-port' }).catch(
    async (error: unknown) => {
      await closeServer(api.server)
      throw error
    },
  )
  const store = await openStore({ file: options.db, newSuffix: ids.newToken })
  const credentials = await loadCredentials(options.home, ids)
  const location: Location = {
    pid: options.pid,
    api_url: `http://${HOST}:${api.port}`,
    checkout_url: options.checkoutUrl ?? `http://${HOST}:${checkout.port}`,
    api_key: options.apiKey ?? credentials.api_key,
    webhook_secret: credentials.webhook_secret,
    db: options.db,
  }
  const sandbox = await prepareSandbox(store, ids)
  await admitKey(store, location.api_key, { ids, now: unixSeconds(clock) })
  const runtime: Runtime = {
    store,
    wallNow: () => unixSeconds(clock),
    newId: ids.newId,
    fingerprint: createFingerprint(sandbox.fingerprint_salt),
    newWebhookSecret: ids.newWebhookSecret,
    checkoutUrl: location.checkout_url,
  }
  await forwardTo(runtime, options.forwardTo, credentials.webhook_secret)
  const work = startWork(runtime, { ...options, clock, ids })
  const pages: Pages = { runtime, formKey: sandbox.form_key, newNonce: ids.newToken }
  const shared = { runtime, clock, log: options.log, onChange: work.kick }
  serveApp(
    api.server,
    createApiApp({
      ...shared,
      apiUrl: location.api_url,
      hosts: allowedHosts(api.port, []),
      pid: options.pid,
    }),
  )
  serveApp(
    checkout.server,
    createPagesApp({ ...shared, pages, hosts: allowedHosts(checkout.port, [location.checkout_url]) }),
  )
  await publishLocation(options.home, location, ids.newToken)
  return {
    location,
    readyAfterMs: Math.round(performance.now()),
    tick: work.tick,
    async stop() {
      await withdrawLocation(options.home, options.pid)
      await Promise.all(
        [api.server, checkout.server].map((server) => withinTime(closeServer(server), CLOSING_LIMIT_MS)),
      )
      await work.stop()
      await store.close()
    },
  }
}

interface Work {
  readonly tick: () => Promise<void>
  readonly kick: () => void
  readonly stop: () => Promise<void>
}

function startWork(
  runtime: Runtime,
  {
    clock,
    ids,
    log,
    retries,
  }: Pick<DaemonOptions, 'log' | 'retries'> & { readonly clock: Clock; readonly ids: Ids },
): Work {
  const onError = (error: unknown) => logBug(log, clock, { message: 'background work failed', error })
  const sender = createSender({ nowMs: clock.nowMs })
  const worker = createWebhookWorker({
    store: runtime.store,
    wallNow: runtime.wallNow,
    send: sender.send,
    schedule: scheduleOf(retries),
    random: ids.random,
    newId: ids.newId,
    onError,
  })
  const work = async () => {
    for (const { error } of await drainDeadlines(runtime)) onError(error)
    await worker.tick()
  }
  const ticker = startTicker(work, { everyMs: TICK_MS, onError })
  return {
    tick: async () => {
      await work()
      await worker.idle()
    },
    kick: () => {
      worker.tick().catch(onError)
    },
    async stop() {
      worker.stop()
      await ticker.stop()
      await withinTime(worker.idle(), CLOSING_LIMIT_MS)
      await sender.close()
      await worker.idle()
    },
  }
}

function scheduleOf(retries: DaemonOptions['retries']): Schedule {
  if (retries === 'default') return DEFAULT_SCHEDULE
  return retries === 'none' ? [0] : parseSchedule(retries)
}
