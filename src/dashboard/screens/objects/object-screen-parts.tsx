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
import { UpcomingEvents } from './upcoming-events.tsx'

/** The parts that the screen of an object has in addition to those of every object. */
interface ObjectParts {
  readonly main?: ComponentType<ObjectDetailsProps>
  readonly side?: ComponentType<ObjectDetailsProps>
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

/** The special parts of the screen of a resource. */
export const OBJECT_SCREEN_PARTS: Partial<Readonly<Record<ResourceName, ObjectParts>>> = {
  customers: { main: UpcomingEvents },
  subscriptions: { main: UpcomingEvents },
  events: { main: EventChange, side: EventCause },
  webhook_deliveries: {
    main: ({ object }) => <DeliveryDetails delivery={object as ApiObject & WebhookDelivery} />,
  },
  request_logs: {
    main: ({ object }) => <RequestDetails request={object as ApiObject & RequestLog} />,
  },
  invoices: {
    main: ({ object }) => <InvoiceLines invoice={object as ApiObject & Invoice} />,
  },
}
