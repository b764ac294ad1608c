import { events } from '../../api/operations/events.ts'
import { webhookEndpoints } from '../../api/operations/webhook-endpoints.ts'
import type { Client } from '../../client/client.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { listObjects } from '../request/paginate.ts'

const MAX_EVENTS = 1000
const MAX_RECOVERY_SECONDS = 14 * 86_400
const MAX_ENDPOINTS = 100
/** Maximum number of types in one filter of the API. */
const MAX_FILTER_TYPES = 20

/** Returns the earliest `since` of a recovery: one minute less than 14 days ago, because the request takes time. */
export function getEarliestRecoveryTime(now: number): number {
  return now - MAX_RECOVERY_SECONDS + 60
}

/** The result of a resend. */
export interface ResendSummary {
  readonly object: 'resend'
  /** The number of deliveries that the run created. */
  readonly resent: number
  /** Whether there are more events than a single run resends. */
  readonly has_more: boolean
}

/** Selects events by type (default: all) and minimum time in Unix seconds, for one endpoint (default: all). */
export interface ResendSelection {
  readonly since: number
  readonly types: readonly EventType[]
  readonly endpoint: string | undefined
}

/** Resends events in the given order. Resends nothing when an event does not exist. */
export async function resendEvents(
  client: Client,
  ids: readonly string[],
  endpoint: string | undefined,
): Promise<ResendSummary> {
  // For a single id, the resend request itself reports a missing event.
  if (ids.length > 1) for (const id of ids) await client.call(events.retrieve, { id })
  return resendByIds(client, ids, endpoint)
}

async function resendByIds(
  client: Client,
  ids: readonly string[],
  endpoint: string | undefined,
): Promise<ResendSummary> {
  const target = endpoint === undefined ? {} : { webhook_endpoint: endpoint }
  let resent = 0
  for (const [index, id] of ids.entries()) {
    try {
      resent += (await client.call(events.resend, { id, ...target })).data.length
    } catch (error) {
      const last = ids[index - 1]
      if (last === undefined) throw error
      const were = index === 1 ? 'was' : 'were'
      const done = `Before that ${index} of ${ids.length} events ${were} resent, the last was ${last}.`
      throw new AnnotatedError(error, { done })
    }
  }
  return { object: 'resend', resent, has_more: false }
}

/** Resends the newest 1,000 events of a selection, oldest first. */
export async function resendSelected(
  client: Client,
  { since, types, endpoint }: ResendSelection,
): Promise<ResendSummary> {
  const isTypeFiltered = types.length > 0 && types.length <= MAX_FILTER_TYPES
  const filter = { created: { gte: since }, ...(isTypeFiltered ? { types } : {}) }
  const { found, hasMore } = await listObjects(client, events.list, filter, MAX_EVENTS)
  const selected = types.length === 0 ? found : found.filter(({ type }) => types.includes(type))
  const sorted = selected.toSorted((a, b) => a.sequence - b.sequence).map(({ id }) => id)
  return { ...(await resendByIds(client, sorted, endpoint)), has_more: hasMore }
}

/** Resends the events of a selection that one endpoint, or each enabled endpoint, missed. */
export async function resendMissed(
  client: Client,
  { since, types, endpoint }: ResendSelection,
): Promise<ResendSummary> {
  const params = { since, ...(types.length === 0 ? {} : { types }) }
  const endpoints = endpoint === undefined ? await enabledEndpoints(client) : [endpoint]
  const recovered = await Promise.all(
    endpoints.map((id) => client.call(webhookEndpoints.recover, { id, ...params })),
  )
  return {
    object: 'resend',
    resent: recovered.reduce((sum, { resent }) => sum + resent, 0),
    has_more: recovered.some(({ has_more }) => has_more),
  }
}

async function enabledEndpoints(client: Client): Promise<string[]> {
  const { data } = await client.call(webhookEndpoints.list, { status: 'enabled', limit: MAX_ENDPOINTS })
  return data.map(({ id }) => id)
}
