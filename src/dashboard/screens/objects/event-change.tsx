import { EVENT_DESCRIPTIONS, type EventType } from '../../../domain/core/event-types.ts'
import { isJsonObject } from '../../../domain/core/json-object.ts'
import type { Event } from '../../../domain/events/events.ts'
import { DifferenceList } from '../../components/difference-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { ObjectLink } from '../../components/links.tsx'
import type { ApiObject } from '../../data/story-scope.ts'
import { findDifferences } from '../../format/differences.ts'
import { headlineOf, typeNameOf } from '../../format/object-headline.ts'

interface EventProps {
  readonly event: ApiObject
}

/** Shows the meaning of an event, its changes and its payload. */
export function EventChange({ event }: EventProps) {
  const [cause, action] = EVENT_DESCRIPTIONS[event['type'] as EventType] ?? ['', '']
  const { data } = event
  if (!isEventData(data)) return null
  const differences = findDifferences({ data, created: Number(event['created']) })
  return (
    <>
      <section class="panel stack" aria-labelledby="meaning">
        <h2 id="meaning">What it means</h2>
        <dl class="meaning">
          <div>
            <dt>Cause</dt>
            <dd>
              <Code text={cause} />
            </dd>
          </div>
          <div>
            <dt>Your handler</dt>
            <dd>
              <Code text={action} />
            </dd>
          </div>
        </dl>
      </section>
      <section class="panel stack" aria-labelledby="change">
        <h2 id="change">What changed</h2>
        {differences.length === 0 ? (
          <p>It is the first event of the object.</p>
        ) : (
          <DifferenceList differences={differences} isFull={true} />
        )}
      </section>
      <section class="panel stack" aria-labelledby="payload">
        <h2 id="payload">Object after the event</h2>
        <JsonView value={data.object} />
      </section>
    </>
  )
}

/** Shows the object of an event, and the request that caused the event. */
export function EventCause({ event: { data, request } }: EventProps) {
  if (!isEventData(data)) return null
  const id = isJsonObject(request) && typeof request['id'] === 'string' ? request['id'] : null
  return (
    <section class="panel stack" aria-labelledby="cause">
      <h2 id="cause">Where it comes from</h2>
      <dl class="references">
        <div>
          <dt>{typeNameOf(data.object)}</dt>
          <dd>
            <ObjectLink id={data.object.id}>
              <bdi class="clip">{headlineOf(data.object) || data.object.id}</bdi>
            </ObjectLink>
          </dd>
        </div>
        <div>
          <dt>Request</dt>
          <dd>{id === null ? 'None: time or a hosted page caused it' : <ObjectLink id={id} />}</dd>
        </div>
      </dl>
    </section>
  )
}

/** Shows text with `code` in backticks. */
function Code({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
}

function isEventData(data: unknown): data is Event['data'] {
  return isJsonObject(data) && isJsonObject(data['object'])
}
