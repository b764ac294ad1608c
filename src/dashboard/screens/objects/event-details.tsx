import { EVENT_DESCRIPTIONS } from '../../../domain/core/event-types.ts'
import type { Event } from '../../../domain/events/events.ts'
import { PolledEventDeliveries } from '../../components/delivery-result.tsx'
import { DifferenceList, FactList } from '../../components/fact-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Panel } from '../../components/placeholders.tsx'
import { ObjectLink } from '../../components/values.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { listEventDifferences } from '../../format/differences.ts'
import { getObjectTypeName } from '../../format/object-headline.ts'
import { RelatedObjectLink } from './related-objects.tsx'

/** Shows the meaning of an event, its cause, its changes and its payload. */
export function EventDetails({ object }: ObjectDetailsProps) {
  const { type, created, data, request } = object as ApiObject & Event
  const [cause, action] = EVENT_DESCRIPTIONS[type] ?? ['', '']
  const differences = listEventDifferences({ data, created })
  return (
    <>
      <Panel title="Meaning">
        <FactList
          facts={[
            ['Cause', <Code key="cause" text={cause} />],
            ['Your handler', <Code key="action" text={action} />],
          ]}
        />
      </Panel>
      <Panel title="Origin">
        <FactList
          facts={[
            [getObjectTypeName(data.object), <RelatedObjectLink key="object" object={{ ...data.object }} />],
            [
              'Request',
              request === null ? (
                'None: time or a hosted page caused it'
              ) : (
                <ObjectLink key="id" id={request.id} />
              ),
            ],
          ]}
        />
      </Panel>
      <Panel title="Deliveries">
        <PolledEventDeliveries event={object.id} />
      </Panel>
      <Panel title="Changes">
        {differences.length === 0 ? (
          <p>This is the first event of the object.</p>
        ) : (
          <DifferenceList differences={differences} isFull={true} />
        )}
      </Panel>
      <Panel title="Object after the event">
        <JsonView value={data.object} />
      </Panel>
    </>
  )
}

/** Shows text, with the parts in backticks as code. */
function Code({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
}
