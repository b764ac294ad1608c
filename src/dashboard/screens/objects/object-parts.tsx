import type { ComponentType } from 'preact'
import type { ResourceName } from '../../../api/resources/catalog.ts'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import type { ApiObject } from '../../data/story-scope.ts'
import type { StoryProps } from '../../data/use-story.ts'
import { DeliveryParts } from '../deliveries/delivery-parts.tsx'
import { RequestParts } from '../requests/request-parts.tsx'
import { EventCause, EventChange } from './event-change.tsx'
import { UpcomingEvents } from './next-steps.tsx'

/** The parts that the screen of an object has in addition to those of every object. */
interface ObjectParts {
  readonly main?: ComponentType<StoryProps>
  readonly side?: ComponentType<StoryProps>
}

/** The special parts of the screen of a resource. */
export const OBJECT_PARTS: Partial<Readonly<Record<ResourceName, ObjectParts>>> = {
  customers: { main: UpcomingEvents },
  subscriptions: { main: UpcomingEvents },
  events: { main: EventChange, side: EventCause },
  webhook_deliveries: {
    main: ({ object }) => <DeliveryParts delivery={object as ApiObject & WebhookDelivery} />,
  },
  request_logs: { main: ({ object }) => <RequestParts request={object as ApiObject & RequestLog} /> },
}
