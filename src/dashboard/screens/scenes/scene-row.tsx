import type { SceneFailure, SceneResult } from '../../../presentation/scene-results.ts'
import { CopyButton } from '../../components/copy-text.tsx'
import { ErrorNote } from '../../components/placeholders.tsx'
import { ObjectLink } from '../../components/values.tsx'
import { post } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { formatSandboxFlag } from '../../routing/router.ts'
import type { Scene } from './scenes.ts'

/** Shows a scene with its button and the result of its last run. */
export function SceneRow({ scene: { type, how } }: { readonly scene: Scene }) {
  const { isRunning, result, error, run } = useAction(() =>
    post<SceneResult | SceneFailure>(`/scenes/${encodeURIComponent(type)}/run`),
  )
  return (
    <li class="scene-row stack tight">
      <div class="row spread">
        <div>
          <code>{type}</code>
          <p class="quiet small">{how}</p>
        </div>
        <div class="row">
          <CopyButton text={`paycli trigger ${type}${formatSandboxFlag()}`} label="Copy command" />
          <button
            type="button"
            class="primary"
            aria-disabled={isRunning}
            onClick={run}
            aria-label={`Run ${type}`}
          >
            Run
          </button>
        </div>
      </div>
      <div aria-live="polite">
        {isRunning && (
          <p class="row">
            <progress aria-label={`${type} is running`} /> <span class="quiet">Running …</span>
          </p>
        )}
        {error !== null && <ErrorNote error={error} onRetry={run} />}
        {result?.object === 'scene_failure' && <ErrorNote error={result} hint={result.hint} />}
        {result?.object === 'trigger' && <Triggered result={result} />}
      </div>
    </li>
  )
}

/** Shows the events of a scene with their objects. */
function Triggered({ result: { event, events } }: { readonly result: SceneResult }) {
  return (
    <div class="note stack tight">
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
