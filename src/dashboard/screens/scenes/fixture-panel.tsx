import { useState } from 'preact/hooks'
import { CopyText } from '../../components/copy-text.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { post, RequestError } from '../../data/api-client.ts'
import { sandboxFlag } from '../../routing/sandbox-flag.ts'
import { parseFixtureFile } from './fixture-file.ts'
import { FailureNote } from './scene-result.tsx'
import type { FixtureRun, SceneFailure } from './scene-results.ts'

type RunState = 'idle' | 'running' | FixtureRun | SceneFailure | RequestError

/** Runs a fixture file that the user chooses. */
export function FixturePanel() {
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<RunState>('idle')
  const choose = (files: FileList | null) => {
    setFile(files?.[0] ?? null)
    setState('idle')
  }
  const run = async () => {
    if (file === null) return
    setState('running')
    const parsed = parseFixtureFile(await file.text())
    if (typeof parsed === 'string') {
      setState({ object: 'scene_failure', message: parsed, hint: null })
      return
    }
    try {
      setState(await post<FixtureRun | SceneFailure>('/fixtures/run', parsed))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setState(error)
    }
  }
  return (
    <section class="panel stack" aria-labelledby="fixtures">
      <h2 id="fixtures">Fixture file</h2>
      <p class="quiet">
        A JSON file with requests, which run in order in this sandbox. Record one from your own calls with{' '}
        <code>paycli fixtures record</code>.
      </p>
      <div class="row">
        <input
          type="file"
          accept=".json,application/json"
          aria-label="Fixture file"
          onChange={(event) => choose(event.currentTarget.files)}
        />
        <button type="button" class="primary" disabled={file === null || state === 'running'} onClick={run}>
          Run file
        </button>
      </div>
      <div aria-live="polite">
        {state === 'running' && <progress aria-label="The file is running" />}
        {state instanceof RequestError && <ErrorNote error={state} />}
        {typeof state === 'object' && 'object' in state && <FixtureResult result={state} />}
      </div>
      <CopyText
        text={`paycli fixtures run ${file === null ? 'shop.json' : commandName(file.name)}${sandboxFlag()}`}
      />
    </section>
  )
}

// A name with spaces or other special characters must be quoted in a shell.
function commandName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}

function FixtureResult({ result }: { readonly result: FixtureRun | SceneFailure }) {
  if (result.object === 'scene_failure') return <FailureNote failure={result} />
  const { steps, failure } = result
  return (
    <div class="stack">
      <p>
        {steps.length} step{steps.length === 1 ? '' : 's'} done{failure === null ? '.' : ', then one failed:'}
      </p>
      {failure !== null && <FailureNote failure={failure} />}
      {steps.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
        <section class="table-scroll" tabIndex={0} aria-label="Steps">
          <table>
            <thead>
              <tr>
                <th>Step</th>
                <th>Request</th>
                <th>Result</th>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ name, method, path, id, error_status }) => (
                <tr key={name}>
                  <td>
                    <bdi>{name}</bdi>
                  </td>
                  <td>
                    <code>
                      {method} {path}
                    </code>
                  </td>
                  <td>
                    {error_status !== null && `failed with ${error_status}, as expected`}
                    {id !== null && <ObjectLink id={id} />}
                    {error_status === null && id === null && 'done'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}
