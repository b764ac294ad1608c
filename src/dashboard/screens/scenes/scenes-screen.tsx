import { EmptyState, ErrorNote, Loading } from '../../components/states.tsx'
import type { Page } from '../../data/api-client.ts'
import { useApi } from '../../data/use-api.ts'
import { replaceQuery, useRoute } from '../../routing/router.ts'
import { FixturePanel } from './fixture-panel.tsx'
import { groupScenes, objectHeading, type Scene, type SceneGroup, splitColumns } from './scene-groups.ts'
import { SceneRow } from './scene-row.tsx'

/** Lists every trigger with a button that runs it, and runs fixture files. */
export function ScenesScreen() {
  const { data, error, isLoading, reload } = useApi<Pick<Page<Scene>, 'data'>>('/scenes')
  const filter = useRoute().query.get('q') ?? ''
  const groups = groupScenes(data?.data ?? [], filter)
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
      <div class="row scene-filter">
        <input
          type="search"
          aria-label="Filter scenes"
          placeholder="Filter, such as past due, refund or expired"
          value={filter}
          onInput={({ currentTarget: { value } }) => replaceQuery(value === '' ? {} : { q: value })}
        />
        <span class="quiet" role="status">
          {data === null ? '' : `${count} of ${data.data.length} scenes`}
        </span>
      </div>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && <Loading />}
      {data !== null && count === 0 && (
        <EmptyState title="No scene contains these words" command="paycli trigger --list">
          <button type="button" onClick={() => replaceQuery({})}>
            Show all scenes
          </button>
        </EmptyState>
      )}
      <div class="scene-groups">
        {splitColumns(groups).map((column) => (
          <div key={column[0]?.object} class="stack">
            {column.map((group) => (
              <SceneGroupPanel key={group.object} group={group} />
            ))}
          </div>
        ))}
      </div>
      <FixturePanel />
    </div>
  )
}

function SceneGroupPanel({ group: { object, scenes } }: { readonly group: SceneGroup }) {
  return (
    <section class="panel" aria-labelledby={`scenes-${object}`}>
      <h2 id={`scenes-${object}`}>{objectHeading(object)}</h2>
      <ul class="scene-rows">
        {scenes.map((scene) => (
          <SceneRow key={scene.type} scene={scene} />
        ))}
      </ul>
    </section>
  )
}
