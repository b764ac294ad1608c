import { useState } from 'preact/hooks'
import { ErrorNote } from '../../components/states.tsx'
import { post, RequestError } from '../../data/api-client.ts'
import { sandboxFlag } from '../../routing/sandbox-flag.ts'
import type { Scene } from './scene-groups.ts'
import { SceneResult } from './scene-result.tsx'
import type { SceneFailure, TriggerResult } from './scene-results.ts'

type RunState = 'idle' | 'running' | TriggerResult | SceneFailure | RequestError

/** Shows a scene with its button and the result of its last run. */
export function SceneRow({ scene: { type, how } }: { readonly scene: Scene }) {
  const [state, setState] = useState<RunState>('idle')
  const run = async () => {
    setState('running')
    try {
      setState(await post<TriggerResult | SceneFailure>(`/scenes/${encodeURIComponent(type)}/run`))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setState(error)
    }
  }
  return (
    <li class="scene-row">
      <div class="scene-head">
        <div>
          <code>{type}</code>
          <p class="quiet">{how}</p>
        </div>
        <div class="scene-buttons">
          <CopyCommand command={`paycli trigger ${type}${sandboxFlag()}`} />
          <button
            type="button"
            class="primary"
            disabled={state === 'running'}
            onClick={run}
            aria-label={`Run ${type}`}
          >
            Run
          </button>
        </div>
      </div>
      <div aria-live="polite">
        {state === 'running' && (
          <p class="row">
            <progress aria-label={`${type} is running`} /> <span class="quiet">Running …</span>
          </p>
        )}
        {state instanceof RequestError && <ErrorNote error={state} onRetry={run} />}
        {typeof state === 'object' && !(state instanceof RequestError) && <SceneResult result={state} />}
      </div>
    </li>
  )
}

const CONFIRMATION_MS = 1500

/** Shows a button that copies a command, with the command as its tooltip. */
function CopyCommand({ command }: { readonly command: string }) {
  const [label, setLabel] = useState('Copy command')
  const copy = async () => {
    const result = await navigator.clipboard.writeText(command).then(
      () => 'Copied',
      () => 'Cannot copy',
    )
    setLabel(result)
    setTimeout(() => setLabel('Copy command'), CONFIRMATION_MS)
  }
  return (
    <button type="button" onClick={copy} title={command} aria-label={`${label}: ${command}`}>
      {label}
    </button>
  )
}
