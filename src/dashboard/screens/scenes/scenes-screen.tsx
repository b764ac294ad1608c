import { humanizeName } from '../../../presentation/words.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { EmptyState, LoadNote, Panel } from '../../components/placeholders.tsx'
import type { ApiListPage } from '../../data/api-client.ts'
import { useApi } from '../../data/use-load.ts'
import { useFilters } from '../../routing/router.ts'
import { FixturePanel } from './fixture-panel.tsx'
import { SceneRow } from './scene-row.tsx'
import { filterAndGroupScenes, type Scene } from './scenes.ts'

const FIELDS = [{ name: 'q', label: 'Filter scenes', placeholder: 'past due, refund or expired' }]

/** Lists every trigger with a button that runs it, and runs fixture files. */
export function ScenesScreen() {
  const { data, error, reload } = useApi<Pick<ApiListPage<Scene>, 'data'>>('/scenes')
  const { values } = useFilters(['q'])
  const groups = filterAndGroupScenes(data?.data ?? [], values.q)
  const count = [...groups.values()].flat().length
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
      <LoadNote data={data} error={error} reload={reload} />
      {data !== null && count === 0 && (
        <EmptyState title="No scene contains these words" command="paycli trigger --list" />
      )}
      <div class="scene-groups">
        {[...groups].map(([object, scenes]) => (
          <Panel key={object} title={humanizeName(object)}>
            <ul>
              {scenes.map((scene) => (
                <SceneRow key={scene.type} scene={scene} />
              ))}
            </ul>
          </Panel>
        ))}
      </div>
      <FixturePanel />
    </div>
  )
}
