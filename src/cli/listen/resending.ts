import { events } from '../../api/operations/events.ts'
import { webhookEndpoints } from '../../api/operations/webhook-endpoints.ts'
import type { Client } from '../../client/client.ts'
import type { EventType } from '../../domain/event-types.ts'
import { Explained } from '../errors/annotated-error.ts'
import { walk } from '../request/paginate.ts'

const MOST_RESENT = 1000
const MOST_ENDPOINTS = 100
const MOST_TYPES_ASKED = 20

/** How many events were sent again, and where each was. */
export interface Resent {
  readonly object: 'resend'
  /** How many deliveries were asked for. */
  readonly resent: number
  /** Whether there are more than one run sends. */
  readonly has_more: boolean
}

/** Which events: all of these types since a moment in Unix seconds, to one endpoint or to all that want them. */
export interface Choice {
  readonly since: number
  readonly types: readonly EventType[]
  readonly endpoint: string | undefined
}

/** Sends these events again, in the order given; nothing is sent unless all of them are there. */
export async function resendEvents(
  client: Client,
  ids: readonly string[],
  endpoint: string | undefined,
): Promise<Resent> {
  // With one the service says the same before it sends anything.
  if (ids.length > 1) for (const id of ids) await client.call(events.retrieve, { id })
  return resendFound(client, ids, endpoint)
}

async function resendFound(
  client: Client,
  ids: readonly string[],
  endpoint: string | undefined,
): Promise<Resent> {
  const named = endpoint === undefined ? {} : { webhook_endpoint: endpoint }
  let resent = 0
  for (const [at, id] of ids.entries()) {
    try {
      resent += (await client.call(events.resend, { id, ...named })).data.length
    } catch (error) {
      const last = ids[at - 1]
      if (last === undefined) throw error
      const were = at === 1 ? 'was' : 'were'
      const done = `Before that ${at} of ${ids.length} events ${were} resent, the last was ${last}.`
      throw new Explained(error, { done })
    }
  }
  return { object: 'resend', resent, has_more: false }
}

/** Sends all events of a choice again, the oldest first; of too many the newest. */
export async function resendChosen(client: Client, { since, types, endpoint }: Choice): Promise<Resent> {
  const isShort = types.length > 0 && types.length <= MOST_TYPES_ASKED
  const asked = { created: { gte: since }, ...(isShort ? { types } : {}) }
  const { found, hasMore } = await walk(
    (cursor) => client.call(events.list, { ...asked, ...cursor }),
    MOST_RESENT,
  )
  const chosen = types.length === 0 ? found : found.filter(({ type }) => types.includes(type))
  const sorted = chosen.toSorted((a, b) => a.sequence - b.sequence).map(({ id }) => id)
  return { ...(await resendFound(client, sorted, endpoint)), has_more: hasMore }
}

/** Sends what one endpoint, or each enabled one, missed of a choice. */
export async function resendMissed(client: Client, { since, types, endpoint }: Choice): Promise<Resent> {
  const asked = { since, ...(types.length === 0 ? {} : { types }) }
  const targets = endpoint === undefined ? await enabledEndpoints(client) : [endpoint]
  const recovered = await Promise.all(
    targets.map((id) => client.call(webhookEndpoints.recover, { id, ...asked })),
  )
  return {
    object: 'resend',
    resent: recovered.reduce((sum, { resent }) => sum + resent, 0),
    has_more: recovered.some(({ has_more }) => has_more),
  }
}

async function enabledEndpoints(client: Client): Promise<string[]> {
  const { data } = await client.call(webhookEndpoints.list, { status: 'enabled', limit: MOST_ENDPOINTS })
  return data.map(({ id }) => id)
}
