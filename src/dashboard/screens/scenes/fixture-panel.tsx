import { useState } from 'preact/hooks'
import { quoteForShell } from '../../../domain/text/shell-quote.ts'
import type { FixtureRunResult, SceneFailure } from '../../../presentation/scene-results.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { DataTable, type DataTableColumn } from '../../components/data-table.tsx'
import { ErrorNote, Panel } from '../../components/placeholders.tsx'
import { ObjectLink } from '../../components/values.tsx'
import { post } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { formatSandboxFlag } from '../../routing/router.ts'
import { parseFixtureFile } from './scenes.ts'

/** Runs a fixture file that the user chooses. */
export function FixturePanel() {
  const [file, setFile] = useState<File | null>(null)
  const { isRunning, result, error, run, reset } = useAction(
    async (): Promise<FixtureRunResult | SceneFailure | null> => {
      if (file === null) return null
      const parsed = parseFixtureFile(await file.text())
      if (typeof parsed !== 'string') return post('/fixtures/run', parsed)
      return { object: 'scene_failure', message: parsed, hint: null }
    },
  )
  const choose = (files: FileList | null) => {
    setFile(files?.[0] ?? null)
    reset()
  }
  return (
    <Panel title="Fixture file" label="Fixture files">
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
        <button
          type="button"
          class="primary"
          disabled={file === null}
          aria-disabled={isRunning}
          onClick={run}
        >
          Run file
        </button>
      </div>
      <div aria-live="polite">
        {isRunning && <progress aria-label="The file is running" />}
        {error !== null && <ErrorNote error={error} />}
        {result !== null && <FixtureResult result={result} />}
      </div>
      <CopyText
        text={`paycli fixtures run ${file === null ? 'shop.json' : quoteForShell(file.name)}${formatSandboxFlag()}`}
      />
    </Panel>
  )
}

const STEPS: readonly DataTableColumn<FixtureRunResult['steps'][number]>[] = [
  { label: 'Step', cell: ({ name }) => <bdi class="clip">{name}</bdi> },
  {
    label: 'Result',
    cell({ id, error_status }) {
      if (error_status !== null) return `failed with ${error_status}, as expected`
      return id === null ? 'done' : <ObjectLink id={id} />
    },
  },
  {
    label: 'Request',
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
]

function FixtureResult({ result }: { readonly result: FixtureRunResult | SceneFailure }) {
  if (result.object === 'scene_failure') return <ErrorNote error={result} hint={result.hint} />
  const { steps, failure } = result
  return (
    <div class="stack">
      <p>
        {formatCountWithNoun(steps.length, 'step')} done{failure === null ? '.' : ', then one failed:'}
      </p>
      {failure !== null && <ErrorNote error={failure} hint={failure.hint} />}
      {steps.length > 0 && (
        <DataTable label="Steps" columns={STEPS} items={steps} keyOf={({ name }) => name} />
      )}
    </div>
  )
}
