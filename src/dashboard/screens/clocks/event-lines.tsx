import { ObjectLink } from '../../components/links.tsx'
import { Amount } from '../../components/values.tsx'
import { type AxisEvent, textField } from './axis-events.ts'
import { moneyOf } from './event-headlines.ts'

/** Shows the type, amount and object of an event. */
export function EventLine({ event }: { readonly event: AxisEvent }) {
  const money = moneyOf(event)
  const id = textField(event.object, 'id') ?? ''
  return (
    <span class="event-line">
      {event.isProjected ? (
        <code>{event.type}</code>
      ) : (
        <ObjectLink id={event.key}>
          <code>{event.type}</code>
        </ObjectLink>
      )}
      {money !== null && <Amount {...money} />}
      <ObjectReference id={id} />
    </span>
  )
}

// An object that does not exist yet has a placeholder as id.
function ObjectReference({ id }: { readonly id: string }) {
  if (id === '') return null
  return id.includes('_projected') ? <span class="quiet">new object</span> : <ObjectLink id={id} />
}
