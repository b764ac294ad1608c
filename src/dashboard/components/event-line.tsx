import { getEventObjectSummary } from '../../presentation/event-summary.ts'
import { ObjectLink } from './values.tsx'

interface EventLineProps {
  /** The id of the event; null for a projected event. */
  readonly id: string | null
  readonly type: string
  readonly object: object
}

/** Shows the type of an event and the summary of its object, both as links. */
export function EventLine({ id, type, object }: EventLineProps) {
  const { id: objectId, amount, name, email } = getEventObjectSummary({ data: { object } })
  const person = email ?? name
  return (
    <span class="row event-line">
      {id === null ? <span>{type}</span> : <ObjectLink id={id}>{type}</ObjectLink>}
      {amount !== null && <span class="amount">{amount}</span>}
      {person !== null && <bdi class="person ellipsis">{person}</bdi>}
      {/* An object that does not exist yet has a placeholder as id. */}
      {objectId.includes('_projected') ? <span class="quiet">new object</span> : <ObjectLink id={objectId} />}
    </span>
  )
}
