import { ObjectLink } from '../../components/links.tsx'
import type { SceneFailure, TriggerResult } from './scene-results.ts'

/** Shows the result of a scene: its objects and events, or its error with a hint. */
export function SceneResult({ result }: { readonly result: TriggerResult | SceneFailure }) {
  return result.object === 'trigger' ? <Triggered result={result} /> : <FailureNote failure={result} />
}

/** Shows why a scene or a fixture failed. */
export function FailureNote({ failure: { message, hint } }: { readonly failure: SceneFailure }) {
  return (
    <div class="note note-bad">
      <p>{message}</p>
      {hint !== null && <p>{hint}</p>}
    </div>
  )
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
