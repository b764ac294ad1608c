import type { ComponentType } from 'preact'
import {
  findResourceOfId,
  getResource,
  type ResourceKind,
  type ResourceName,
} from '../../../api/resources/catalog.ts'
import type { Invoice } from '../../../domain/billing/invoices.ts'
import { hasEventTypes } from '../../../domain/core/event-types.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { EmptyState, ErrorNote, LoadNote, Panel } from '../../components/placeholders.tsx'
import { FieldValue, ObjectStatusBadges } from '../../components/values.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import { type ObjectDetailsProps, useObjectDetails } from '../../data/use-object-details.ts'
import { isObjectId } from '../../format/format-field.ts'
import { formatObjectHeadline, getObjectTypeName } from '../../format/object-headline.ts'
import { DeliveryDetails } from '../deliveries/delivery-details.tsx'
import { ObjectRequests } from '../requests/object-requests.tsx'
import { RequestDetails } from '../requests/request-details.tsx'
import { ActionButtons } from './action-buttons.tsx'
import { InvoiceLineTable } from './action-effect.tsx'
import { EventDetails } from './event-details.tsx'
import { OBJECT_ACTIONS } from './object-actions.ts'
import { describeState, listHeadFields } from './object-head-fields.ts'
import { RelatedObjects } from './related-objects.tsx'
import { DeliveryProblems, ObjectTimeline } from './timeline.tsx'
import { UpcomingEvents } from './upcoming-events.tsx'

/** The additional details that some object types show. */
const DETAILS: Partial<Readonly<Record<ResourceName, ComponentType<ObjectDetailsProps>>>> = {
  customers: UpcomingEvents,
  subscriptions: UpcomingEvents,
  events: EventDetails,
  webhook_deliveries: DeliveryDetails,
  request_logs: RequestDetails,
  invoices: InvoiceLines,
}

// The link to a coupon with a custom id contains the resource name, because the id has no prefix.
const OWN_COUPON_ID = /^coupons\/([A-Za-z0-9_-]{1,64})$/

/** Shows the state, the history and the upcoming events of an object of any type. */
export function ObjectScreen({ id }: { readonly id: string }) {
  const own = OWN_COUPON_ID.exec(id)?.[1]
  if (own !== undefined) return <KnownObject resource={getResource('coupons')} id={own} />
  const resource = isObjectId(id) ? findResourceOfId(id) : undefined
  if (resource === undefined) return <UnknownObject id={id} />
  return <KnownObject resource={resource} id={id} />
}

function UnknownObject({ id }: { readonly id: string }) {
  return (
    <div class="stack">
      <h1>Unknown object</h1>
      <EmptyState title={`No object that the dashboard shows has the id ${id}`} command="paycli get --help">
        <p class="quiet">Search for an id, an email address or an amount with the key /.</p>
      </EmptyState>
    </div>
  )
}

function KnownObject({ id, resource }: { readonly id: string; readonly resource: ResourceKind }) {
  const Details = DETAILS[resource.name]
  const actions = OBJECT_ACTIONS[resource.name]
  const isRecorded = hasEventTypes(resource)
  const details = useObjectDetails(id, resource)
  const { object, error, reload, now } = details
  if (object === null)
    return (
      <div class="stack">
        <h1>{id}</h1>
        <LoadNote data={object} error={error} reload={reload} />
      </div>
    )
  return (
    <div class="object stack">
      <div class="stack">
        <ObjectHead object={object} now={now} />
        {error !== null && <ErrorNote error={error} onRetry={reload} />}
        {actions !== undefined && <ActionButtons object={object} actions={actions} onDone={reload} />}
        <DeliveryProblems details={details} />
        {Details !== undefined && <Details object={object} details={details} />}
      </div>
      <div class="stack">
        <RelatedObjects object={object} details={details} />
        <ObjectCommands id={id} />
      </div>
      <div class="stack">
        {isRecorded && <ObjectRequests object={object} details={details} />}
        {isRecorded && <ObjectTimeline object={object} details={details} />}
        <section class="panel">
          <details>
            <summary>
              <h2>JSON</h2>
            </summary>
            <JsonView value={object} />
          </details>
        </section>
      </div>
    </div>
  )
}

/** Shows the name of an object, its state and its fields. */
function ObjectHead({ object, now }: { readonly object: ApiObject; readonly now: number | undefined }) {
  const headline = formatObjectHeadline(object)
  const state = describeState(object)
  return (
    <section class="panel stack">
      <div class="row">
        <h1>
          {getObjectTypeName(object)}
          {headline !== '' && (
            <>
              {' '}
              <bdi class="headline">{headline}</bdi>
            </>
          )}
        </h1>
        <ObjectStatusBadges object={object} />
      </div>
      <CopyText text={object.id} />
      {state !== '' && <p>{state}</p>}
      <FactList
        class="columns narrow"
        facts={listHeadFields(object).map(({ field, label, value }) => [
          label,
          <FieldValue key={field} value={value} now={now} />,
          field,
        ])}
      />
    </section>
  )
}

const AMOUNTS = ['description|type', 'total', 'quantity', 'unit_amount', 'discount_amount', 'tax_percent']
const LINES = [...AMOUNTS, 'period.start', 'period.end']

function InvoiceLines({ object }: ObjectDetailsProps) {
  return (
    <Panel title="Lines">
      <InvoiceLineTable invoice={object as ApiObject & Invoice} paths={LINES} />
    </Panel>
  )
}
