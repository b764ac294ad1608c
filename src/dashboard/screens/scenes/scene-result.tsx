import { ObjectLink } from '../../components/links.tsx'
import { ErrorNote } from '../../components/placeholders.tsx'
import type { SceneFailure, TriggerResult } from './scene-results.ts'

/** Shows the result of a scene: its objects and events, or its error with a hint. */
export function SceneResult({ result }: { readonly result: TriggerResult | SceneFailure }) {
  if (result.object === 'trigger') return <Triggered result={result} />
  return <ErrorNote error={result} hint={result.hint} />
}

function Triggered({ result: { event, made, events } }: { readonly result: TriggerResult }) {
  return (
    <div class="note stack tight">
      {made.length > 0 && (
        <>
          <h3>Made</h3>
          <ul>
            {made.map((id) => (
              <li key={id}>
                <ObjectLink id={id} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Events</h3>
      <ol>
        {events.map(({ id, type, object }) => (
          <li key={id} class="row">
            <ObjectLink id={id}>{id === event ? <strong>{type}</strong> : type}</ObjectLink>
            <ObjectLink id={object} />
          </li>
        ))}
      </ol>
    </div>
  )
}
