import { EVENT_DESCRIPTIONS, type EventType } from '../../../domain/core/event-types.ts'
import { isJsonObject } from '../../../domain/core/json-object.ts'
import type { Event } from '../../../domain/events/events.ts'
import { DifferenceList } from '../../components/difference-list.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { Panel } from '../../components/placeholders.tsx'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { findDifferences } from '../../format/differences.ts'
import { typeNameOf } from '../../format/object-headline.ts'
import { RelatedObject } from './related-objects.tsx'

/** Shows the meaning of an event, its changes and its payload. */
export function EventChange({ object: event }: ObjectDetailsProps) {
  const [cause, action] = EVENT_DESCRIPTIONS[event['type'] as EventType] ?? ['', '']
  const { data } = event
  if (!isEventData(data)) return null
  const differences = findDifferences({ data, created: Number(event['created']) })
  return (
    <>
      <Panel title="What it means">
        <FactList
          facts={[
            ['Cause', <Code key="cause" text={cause} />],
            ['Your handler', <Code key="action" text={action} />],
          ]}
        />
      </Panel>
      <Panel title="What changed">
        {differences.length === 0 ? (
          <p>It is the first event of the object.</p>
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

/** Shows the object of an event, and the request that caused the event. */
export function EventCause({ object: { data, request } }: ObjectDetailsProps) {
  if (!isEventData(data)) return null
  const id = isJsonObject(request) && typeof request['id'] === 'string' ? request['id'] : null
  return (
    <Panel title="Where it comes from">
      <FactList
        facts={[
          [typeNameOf(data.object), <RelatedObject key="object" object={{ ...data.object }} />],
          [
            'Request',
            id === null ? 'None: time or a hosted page caused it' : <ObjectLink key="id" id={id} />,
          ],
        ]}
      />
    </Panel>
  )
}

/** Shows text with `code` in backticks. */
function Code({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
}

function isEventData(data: unknown): data is Event['data'] {
  return isJsonObject(data) && isJsonObject(data['object'])
}
