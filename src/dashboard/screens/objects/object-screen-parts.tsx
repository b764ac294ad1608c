import type { ComponentType } from 'preact'
import type { ResourceName } from '../../../api/resources/catalog.ts'
import type { Invoice } from '../../../domain/billing/invoices.ts'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { DataTable } from '../../components/data-table.tsx'
import { fieldColumn } from '../../components/field-value.tsx'
import { Panel } from '../../components/placeholders.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { DeliveryDetails } from '../deliveries/delivery-details.tsx'
import { RequestDetails } from '../requests/request-details.tsx'
import { EventCause, EventChange } from './event-change.tsx'
import { OBJECT_ACTIONS, type ObjectAction } from './object-actions.ts'
import { UpcomingEvents } from './upcoming-events.tsx'

/** The parts that the screen of an object has in addition to those of every object. */
interface ObjectParts {
  readonly main?: ComponentType<ObjectDetailsProps>
  readonly side?: ComponentType<ObjectDetailsProps>
  readonly actions?: readonly ObjectAction[]
}

const LINE_COLUMNS = [
  ...['description|type', 'total', 'quantity', 'unit_amount', 'tax_percent', 'period.start', 'period.end'],
].map((path) => fieldColumn<Invoice['lines'][number]>(path))

function InvoiceLines({ invoice: { lines, currency } }: { readonly invoice: Invoice }) {
  return (
    <Panel title="Lines">
      <DataTable
        label="Lines"
        columns={LINE_COLUMNS}
        items={lines.map((line) => ({ ...line, currency }))}
        keyOf={({ id }) => id}
      />
    </Panel>
  )
}

/** The special parts and the actions of the screen of a resource. */
export const OBJECT_SCREEN_PARTS: Partial<Readonly<Record<ResourceName, ObjectParts>>> = {
  customers: { main: UpcomingEvents },
  subscriptions: { main: UpcomingEvents, actions: OBJECT_ACTIONS.subscriptions },
  events: { main: EventChange, side: EventCause, actions: OBJECT_ACTIONS.events },
  webhook_deliveries: {
    main: ({ object }) => <DeliveryDetails delivery={object as ApiObject & WebhookDelivery} />,
    actions: OBJECT_ACTIONS.webhook_deliveries,
  },
  request_logs: {
    main: ({ object }) => <RequestDetails request={object as ApiObject & RequestLog} />,
  },
  payments: { actions: OBJECT_ACTIONS.payments },
  invoices: {
    main: ({ object }) => <InvoiceLines invoice={object as ApiObject & Invoice} />,
    actions: OBJECT_ACTIONS.invoices,
  },
  webhook_endpoints: { actions: OBJECT_ACTIONS.webhook_endpoints },
}
