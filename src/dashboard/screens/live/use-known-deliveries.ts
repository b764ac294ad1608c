import { useMemo } from 'preact/hooks'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { get, type Page, type RequestError } from '../../data/api-client.ts'
import { groupDeliveries, mergeDeliveries } from '../../data/delivery-states.ts'
import { useLoad } from '../../data/use-load.ts'
import type { DeliveriesByEvent } from './activity-rows.ts'

const LIMIT = 100
const MAX_KNOWN = 2000

export interface KnownDeliveries {
  readonly byEvent: DeliveriesByEvent
  readonly hasEndpoint: boolean
  readonly error: RequestError | null
}

/** Reads the newest deliveries, again every two seconds and after new events. Without an endpoint it reads no deliveries. */
export function useKnownDeliveries(): KnownDeliveries {
  const { data: known, error } = useLoad<readonly WebhookDelivery[] | null>(
    'deliveries',
    async (signal, last) => {
      if (last === null) {
        const endpoints = await get<Page<object>>('/v1/webhook_endpoints', { limit: 1 }, signal)
        if (endpoints.data.length === 0) return null
      }
      const page = await get<Page<WebhookDelivery>>('/v1/webhook_deliveries', { limit: LIMIT }, signal)
      return mergeDeliveries(last ?? [], page.data, MAX_KNOWN)
    },
    { isRelevant: (entry) => entry.object === 'event' && entry.pending_webhooks > 0, isPolled: true },
  )
  const byEvent = useMemo(() => groupDeliveries(known ?? []), [known])
  return { byEvent, hasEndpoint: known !== null, error }
}
