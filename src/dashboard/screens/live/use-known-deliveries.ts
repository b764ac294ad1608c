import { useCallback, useMemo, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import { get, type Page, RequestError } from '../../data/api-client.ts'
import { groupDeliveries, mergeDeliveries } from '../../data/delivery-states.ts'
import { useApi } from '../../data/use-api.ts'
import { useNewEvents } from '../../data/use-live.ts'
import { usePolling } from '../../data/use-polling.ts'
import type { DeliveriesByEvent } from './activity-rows.ts'

const PAGE_SIZE = 100
const MAX_KNOWN = 2000

export interface KnownDeliveries {
  readonly byEvent: DeliveriesByEvent
  readonly hasEndpoint: boolean
  readonly error: RequestError | null
}

/** Reads the newest deliveries, again every two seconds and after new events. Without an endpoint it reads nothing. */
export function useKnownDeliveries(): KnownDeliveries {
  const endpoints = useApi<Page<WebhookEndpoint>>('/v1/webhook_endpoints', { limit: 1 })
  const hasEndpoint = (endpoints.data?.data.length ?? 0) > 0
  const [known, setKnown] = useState<readonly WebhookDelivery[]>([])
  const [error, setError] = useState<RequestError | null>(null)
  const read = useCallback(async () => {
    try {
      const page = await get<Page<WebhookDelivery>>('/v1/webhook_deliveries', { limit: PAGE_SIZE })
      setKnown((last) => mergeDeliveries(last, page.data, MAX_KNOWN))
      setError(null)
    } catch (failure) {
      if (!(failure instanceof RequestError)) throw failure
      setError(failure)
    }
  }, [])
  usePolling(read, hasEndpoint)
  useNewEvents(isDelivered, () => (hasEndpoint ? read() : endpoints.reload()))
  return { byEvent: useMemo(() => groupDeliveries(known), [known]), hasEndpoint, error }
}

function isDelivered({ pending_webhooks }: Event): boolean {
  return pending_webhooks > 0
}
