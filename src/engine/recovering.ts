import type { EventType } from '../domain/event-types.ts'
import { Refusal } from '../domain/refusal.ts'
import { isMissed, MAX_RECOVERY_SECONDS, planResend, requireEnabled } from '../domain/webhook-resends.ts'
import type { Reader } from '../store/store.ts'
import { loadDeliveries } from './belongings.ts'
import { commit } from './commit.ts'
import { realTime } from './moments.ts'
import type { Runtime } from './runtime.ts'

const RECORDS_PER_PAGE = 100
const MAX_RECORDS_SEARCHED = 100_000
const MAX_EVENTS_PER_CALL = 1000
const EVENTS_PER_TRANSACTION = 50

/** Which of the missed events to send again; both times in Unix seconds of wall time. */
export interface RecoveryWindow {
  readonly since: number
  readonly until?: number
  readonly types?: readonly EventType[]
}

/**
 * Plans a delivery by hand for every event an endpoint missed, the oldest first and a thousand at most. What is on its
 * way already is left alone, so that asking twice sends once.
 */
export async function recoverMissed(
  runtime: Runtime,
  webhookEndpoint: string,
  window: RecoveryWindow,
): Promise<{ readonly resent: number; readonly has_more: boolean }> {
  requireWindow(window, runtime.wallNow())
  const candidates = await failedEvents(runtime.store, webhookEndpoint, window)
  let resent = 0
  for (let done = 0; done < candidates.length; done += EVENTS_PER_TRANSACTION) {
    if (resent >= MAX_EVENTS_PER_CALL) return { resent, has_more: true }
    const some = candidates.slice(done, done + EVENTS_PER_TRANSACTION)
    resent += await resendMissed(runtime, some, { webhookEndpoint, types: window.types })
  }
  return { resent, has_more: false }
}

function requireWindow({ since, until }: RecoveryWindow, now: number): void {
  if (since < now - MAX_RECOVERY_SECONDS) {
    throw new Refusal('timestamp_invalid', `since is ${since}, more than 14 days ago. Give a later moment.`, {
      param: 'since',
    })
  }
  if (until !== undefined && until < since) {
    throw new Refusal('timestamp_invalid', `until (${until}) lies before since (${since}).`, {
      param: 'until',
    })
  }
}

/** The events with a failed or skipped delivery in the window, the oldest first. */
async function failedEvents(
  reader: Reader,
  webhookEndpoint: string,
  { since, until = Number.MAX_SAFE_INTEGER }: RecoveryWindow,
): Promise<string[]> {
  const events = new Set<string>()
  const where = { webhook_endpoint: webhookEndpoint, status: ['failed', 'skipped'] }
  const query = {
    where,
    ranges: [{ field: 'created', gte: since, lte: until }],
    limit: RECORDS_PER_PAGE,
  }
  let last: string | undefined
  for (let searched = 0; searched < MAX_RECORDS_SEARCHED; searched += RECORDS_PER_PAGE) {
    const after = last === undefined ? {} : { starting_after: last }
    const { data, has_more } = await reader.list('webhook_deliveries', { ...query, ...after })
    for (const { event } of data) {
      // Where an event stands is where it was first tried.
      events.delete(event)
      events.add(event)
    }
    last = data.at(-1)?.id
    if (!has_more) break
  }
  return [...events].reverse()
}

interface Choice {
  readonly webhookEndpoint: string
  readonly types: readonly EventType[] | undefined
}

function resendMissed(
  runtime: Runtime,
  events: readonly string[],
  { webhookEndpoint, types }: Choice,
): Promise<number> {
  return commit(runtime, {
    request: null,
    load: async (reader) => {
      const endpoint = await reader.get('webhook_endpoints', webhookEndpoint)
      const told = await Promise.all(
        events.map(async (id) => ({
          event: await reader.get('events', id),
          deliveries: await loadDeliveries(reader, id),
        })),
      )
      return { endpoint, told }
    },
    when: () => realTime,
    decide: ({ endpoint, told }, world) => {
      if (endpoint === null) return { changes: [], result: 0 }
      const target = requireEnabled(endpoint)
      const planned = told.flatMap(({ event, deliveries }) => {
        const isAsked = event !== null && (types === undefined || types.includes(event.type))
        if (!isAsked || !isMissed(deliveries, target.id)) return []
        return planResend({ event, deliveries }, target, world) ?? []
      })
      return { changes: planned, result: planned.length }
    },
  })
}
