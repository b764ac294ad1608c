import { DEFAULT_RETENTION } from '../domain/retention.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { resumeHeldUp } from '../engine/clocks.ts'
import { drainDeadlines } from '../engine/real-time.ts'
import { dropExpired } from '../engine/retention.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { Reader } from '../store/port/store.ts'
import type { Send } from '../webhooks/deliveries.ts'
import { Unanswered } from '../webhooks/not-attempted-error.ts'
import { DEFAULT_SCHEDULE, parseSchedule, type Schedule } from '../webhooks/schedule.ts'
import { createSender, type Sender } from '../webhooks/send.ts'
import type { TargetGuard } from '../webhooks/ssrf-guard.ts'
import { createWebhookWorker } from '../webhooks/worker.ts'
import { attemptLine, disabledLine } from './attempt-line.ts'
import type { Clock } from './clock.ts'
import { startClockWatch } from './clock-watch.ts'
import type { Ids } from './ids.ts'
import { createKeyWatch } from './key-watch.ts'
import { createClaims } from './leases.ts'
import { closeListeners, isListener, openEndpoints } from './listeners.ts'
import type { Log } from './log.ts'
import type { Presence } from './presence.ts'
import type { StreamHub } from './stream-hub.ts'
import { inTurn, nextTurn, startTicker, withinTime } from './ticker.ts'

const TICK_MS = 250
const SWEEP_SECONDS = 60
/** How much of a sweep is done at once; each round is one write. */
const SWEEP_ROUNDS = 10

/** How long what is under way may take to end when the process stops. */
export const CLOSING_LIMIT_MS = 5000

/** What a daemon does beside its requests. */
export interface Work {
  /** Does at once what the ticker does from time to time. */
  readonly tick: () => Promise<void>
  /** Looks soon whether anything is to be delivered. */
  readonly kick: () => void
  /** Resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>
}

interface WorkOptions {
  readonly log: Log
  /** Waits between delivery attempts such as `1s,5s,30s`, or the default ones, or no second attempt. */
  readonly retries: string | 'default' | 'none'
  /** What is kept some time after it happened. */
  readonly notes: readonly { readonly flush: () => Promise<void> }[]
  readonly clock: Clock
  readonly ids: Ids
  readonly guard: TargetGuard
  readonly hub: StreamHub
  readonly presence: Presence
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
  /** Called each time that all which is to be done from time to time went well. */
  readonly onDone: () => void
}

/** Lets time, webhooks and the stream work beside the requests: from time to time, and soon after a change. */
export function startWork(runtime: Runtime, options: WorkOptions): Work {
  const { clock, ids, guard, hub, log, retries, notes, presence, monotonicMs, onError, onDone } = options
  const sender = createSender({ nowMs: clock.nowMs, guard })
  const note = (level: 'info' | 'error', message: string) => log({ at_ms: clock.nowMs(), level, message })
  const { sharing } = runtime.store
  const endStreams = createKeyWatch(runtime, hub)
  const clocks = startClockWatch(runtime, { monotonicMs, onError })
  const worker = createWebhookWorker({
    store: runtime.store,
    // Where a listener sends, no other process can.
    claims: createClaims(sharing, { prefix: 'deliveries:', monotonicMs, isOwn: hub.isServed }),
    wallNowMs: clock.nowMs,
    // Who listens is at work on the handler: it may fail for long, and sees each failure.
    isSpared: isListener,
    isReachable: (endpoint) => !isListener(endpoint) || hub.isServed(endpoint.id),
    send: createSend(runtime.store, { hub, sender, endStreams }),
    schedule: scheduleOf(retries),
    random: ids.random,
    newId: ids.newId,
    onAttempt: (delivery) => note('info', attemptLine(delivery)),
    onKept: hub.kept,
    onDisabled: (endpoint) => note('error', disabledLine(endpoint)),
    onError,
  })
  let sweptAt = 0
  // Beside another one, it would tell of targets what that one had read before.
  const rounds = inTurn(async () => {
    // Readers are kept whatever becomes of the store.
    hub.tick()
    await endStreams()
    await presence.keep(hub.served())
    for (const { error } of await drainDeadlines(runtime)) onError(error)
    // A long way must not keep everything else waiting.
    resumeHeldUp(runtime).catch(onError)
    await clocks.look()
    // A clock that was set back goes on sweeping, too.
    if (Math.abs(runtime.wallNow() - sweptAt) >= SWEEP_SECONDS) {
      const abandoned = hub.abandoned(await openEndpoints(runtime.store))
      await closeListeners(runtime, await presence.withoutOthers(abandoned))
      const dropped = await dropExpired(runtime, DEFAULT_RETENTION, SWEEP_ROUNDS)
      // What is left waits for the next tick: deliveries and deadlines come first.
      if (dropped === 0) sweptAt = runtime.wallNow()
    }
    await tellTargets(runtime.store, hub)
    hub.kick()
    // Whoever reads requests is told of them when they are kept.
    await Promise.all([worker.tick(), Promise.all(notes.map((one) => one.flush())).then(hub.kick)])
    onDone()
  })
  let isKicked = false
  const ticker = startTicker(rounds.run, { everyMs: TICK_MS, onError })
  return {
    tick: async () => {
      await rounds.run()
      await worker.idle()
    },
    kick() {
      if (isKicked) return
      isKicked = true
      // Many changes are on disk at once, and one look at what is due is enough for all of them.
      nextTurn().then(() => {
        isKicked = false
        endStreams().catch(onError)
        hub.kick()
        return worker.tick()
      })
    },
    async stop() {
      worker.stop()
      await Promise.all([rounds.end(), ticker.stop()])
      await withinTime(worker.idle(), CLOSING_LIMIT_MS)
      await sender.close()
      await worker.idle()
      await Promise.all(notes.map((one) => one.flush())).catch(onError)
    },
  }
}

interface Ways {
  readonly hub: Pick<StreamHub, 'offer'>
  readonly sender: Pick<Sender, 'send'>
  readonly endStreams: () => Promise<void>
}

/** Creates a function that sends a delivery, or offers it to the listener of its endpoint. */
function createSend(store: Reader, { hub, sender, endStreams }: Ways): Send {
  return async (request, delivery) => {
    const isOffered = await isForListener(delivery)
    return isOffered ? hub.offer(request, delivery) : sender.send(request)
  }

  async function isForListener({ webhook_endpoint }: WebhookDelivery): Promise<boolean> {
    try {
      const endpoint = await store.get('webhook_endpoints', webhook_endpoint)
      const isOffered = endpoint !== null && isListener(endpoint)
      // A listener whose key was revoked is offered nothing more.
      if (isOffered) await endStreams()
      return isOffered
    } catch (error) {
      // The delivery stays pending, and is sent once the store answers again.
      throw new Unanswered(`The store did not answer: ${String(error)}`)
    }
  }
}

// Somebody else may have disabled, changed or deleted what a listener sends for.
async function tellTargets(store: Reader, hub: StreamHub): Promise<void> {
  const ids = hub.served()
  const endpoints = await Promise.all(ids.map((id) => store.get('webhook_endpoints', id)))
  hub.tellTargets(new Map(ids.map((id, index) => [id, endpoints[index] ?? null])))
}

function scheduleOf(retries: WorkOptions['retries']): Schedule {
  if (retries === 'default') return DEFAULT_SCHEDULE
  return retries === 'none' ? [0] : parseSchedule(retries)
}
