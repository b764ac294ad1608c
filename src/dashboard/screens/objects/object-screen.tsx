import { resourceOfId } from '../../../api/resources/catalog.ts'
import { JsonView } from '../../components/json-view.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { EmptyState, ErrorNote, Loading } from '../../components/states.tsx'
import type { ApiObject } from '../../data/story-scope.ts'
import { useApi } from '../../data/use-api.ts'
import { useClockTime } from '../../data/use-clock-time.ts'
import { useStory } from '../../data/use-story.ts'
import { isObjectId } from '../../format/format-field.ts'
import type { ScreenProps } from '../../routing/screen-props.ts'
import { EventCause, EventChange } from './event-change.tsx'
import { UpcomingEvents } from './next-steps.tsx'
import { ObjectHead } from './object-head.tsx'
import { RelatedObjects } from './related-objects.tsx'
import { Timeline } from './timeline.tsx'

/** Shows the state, the history and the upcoming events of an object of any type. */
export function ObjectScreen({ id }: ScreenProps) {
  const resource = id === null || !isObjectId(id) ? undefined : resourceOfId(id)
  if (id === null || resource === undefined || resource.name === 'api_keys') return <UnknownObject id={id} />
  return <KnownObject key={id} path={`/v1/${resource.path}/${id}`} id={id} />
}

function UnknownObject({ id }: ScreenProps) {
  return (
    <div class="stack">
      <h1>{id === null ? 'Objects' : 'Unknown object'}</h1>
      <EmptyState
        title={id === null ? 'No object is selected' : `No object that the dashboard shows has the id ${id}`}
        command={id === null ? 'paycli customers list' : 'paycli get --help'}
      >
        <p class="quiet">Search for an id, an e-mail address or an amount with the key /.</p>
      </EmptyState>
    </div>
  )
}

function KnownObject({ id, path }: { readonly id: string; readonly path: string }) {
  const { data: object, error, reload } = useApi<ApiObject>(path)
  const { related, history, error: storyError } = useStory(object, reload)
  const now = useClockTime(clockOf(object))
  if (object === null)
    return (
      <div class="stack">
        <h1>{id}</h1>
        {error === null ? <Loading /> : <ErrorNote error={error} onRetry={reload} />}
      </div>
    )
  return (
    <div class="object">
      <div class="stack object-main">
        <ObjectHead object={object} now={now} />
        {storyError !== null && <ErrorNote error={storyError} onRetry={reload} />}
        {object.object === 'event' && <EventChange event={object} />}
        <UpcomingEvents object={object} related={related} now={clockOf(object) === null ? undefined : now} />
        {object.object !== 'event' && <Timeline history={history} now={now} id={id} />}
        <section class="panel">
          <details>
            <summary>
              <h2>JSON</h2>
            </summary>
            <JsonView value={object} />
          </details>
        </section>
      </div>
      <div class="stack object-side">
        {object.object === 'event' && <EventCause event={object} />}
        <RelatedObjects object={object} related={related} />
        <div class="panel stack">
          <ObjectCommands id={id} />
        </div>
      </div>
    </div>
  )
}

function clockOf(object: ApiObject | null): string | null {
  const clock = object?.['test_clock']
  return typeof clock === 'string' ? clock : null
}
