import { toWords } from '../../../presentation/words.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { EmptyState, ErrorNote, Loading, Panel } from '../../components/placeholders.tsx'
import type { Page } from '../../data/api-client.ts'
import { setFilters, useFilters } from '../../data/use-filters.ts'
import { useApi } from '../../data/use-load.ts'
import { FixturePanel } from './fixture-panel.tsx'
import { groupScenes, type Scene, type SceneGroup } from './scene-groups.ts'
import { SceneRow } from './scene-row.tsx'

const FIELDS = [{ name: 'q', label: 'Filter scenes', placeholder: 'past due, refund or expired' }]

/** Lists every trigger with a button that runs it, and runs fixture files. */
export function ScenesScreen() {
  const { data, error, isLoading, reload } = useApi<Pick<Page<Scene>, 'data'>>('/scenes')
  const { values } = useFilters(['q'])
  const groups = groupScenes(data?.data ?? [], values.q)
  const count = groups.reduce((sum, { scenes }) => sum + scenes.length, 0)
  return (
    <div class="stack">
      <div>
        <h1>Scenes</h1>
        <p class="quiet">
          Put your app into a state with one click. A scene runs real requests in this sandbox, and your
          webhook handlers get its events. The same as <code>paycli trigger</code>.
        </p>
      </div>
      <FilterBar fields={FIELDS}>
        <span class="quiet" role="status">
          {data === null ? '' : `${count} of ${data.data.length} scenes`}
        </span>
      </FilterBar>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && <Loading />}
      {data !== null && count === 0 && (
        <EmptyState title="No scene contains these words" command="paycli trigger --list">
          <button type="button" onClick={() => setFilters({ q: '' })}>
            Show all scenes
          </button>
        </EmptyState>
      )}
      <div class="scene-groups">
        {groups.map((group) => (
          <SceneGroupPanel key={group.object} group={group} />
        ))}
      </div>
      <FixturePanel />
    </div>
  )
}

function SceneGroupPanel({ group: { object, scenes } }: { readonly group: SceneGroup }) {
  return (
    <Panel title={toWords(object)}>
      <ul>
        {scenes.map((scene) => (
          <SceneRow key={scene.type} scene={scene} />
        ))}
      </ul>
    </Panel>
  )
}
