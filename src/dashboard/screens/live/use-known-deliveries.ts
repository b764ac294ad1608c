import { useMemo } from 'preact/hooks'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import { get, type Page, type RequestError } from '../../data/api-client.ts'
import { groupDeliveries, mergeDeliveries } from '../../data/delivery-states.ts'
import type { LiveEntry } from '../../data/use-live.ts'
import { useApi, useLoad } from '../../data/use-load.ts'
import type { DeliveriesByEvent } from './activity-rows.ts'

const LIMIT = 100
const MAX_KNOWN = 2000

export interface KnownDeliveries {
  readonly byEvent: DeliveriesByEvent
  readonly hasEndpoint: boolean
  readonly error: RequestError | null
}

/** Reads the newest deliveries, again every two seconds and after new events. Without an endpoint it reads nothing. */
export function useKnownDeliveries(): KnownDeliveries {
  const endpoints = useApi<Page<WebhookEndpoint>>('/v1/webhook_endpoints', { limit: 1 }, { isRelevant })
  const hasEndpoint = (endpoints.data?.data.length ?? 0) > 0
  const { data: known, error } = useLoad<readonly WebhookDelivery[]>(
    hasEndpoint ? 'deliveries' : null,
    async (signal, last) => {
      const page = await get<Page<WebhookDelivery>>('/v1/webhook_deliveries', { limit: LIMIT }, signal)
      return mergeDeliveries(last ?? [], page.data, MAX_KNOWN)
    },
    { isRelevant, isPolled: true },
  )
  return { byEvent: useMemo(() => groupDeliveries(known ?? []), [known]), hasEndpoint, error }
}

function isRelevant(entry: LiveEntry): boolean {
  return entry.object === 'event' && entry.pending_webhooks > 0
}
