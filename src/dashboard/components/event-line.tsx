import type { Event } from '../../domain/events/events.ts'
import { summarizeEvent } from '../../presentation/event-summary.ts'
import { ObjectLink } from './links.tsx'

/** Shows the type of an event and the summary of its object, both as links. */
export function EventLine({ event }: { readonly event: Event }) {
  const { id, amount, name, email } = summarizeEvent(event)
  const person = email ?? name
  return (
    <span class="event-line">
      <ObjectLink id={event.id}>{event.type}</ObjectLink>
      {amount !== null && <span class="amount">{amount}</span>}
      {person !== null && <bdi class="person">{person}</bdi>}
      <ObjectLink id={id} />
    </span>
  )
}
