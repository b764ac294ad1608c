import { type CatalogEntry, resourceOfId } from '../../../api/resources/catalog.ts'
import { hasEvents } from '../../../domain/core/event-types.ts'
import { JsonView } from '../../components/json-view.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { EmptyState, ErrorNote, Loading } from '../../components/placeholders.tsx'
import { useObjectDetails } from '../../data/use-object-details.ts'
import { isObjectId } from '../../format/format-field.ts'
import { ActionButtons } from './action-buttons.tsx'
import { ObjectHead } from './object-head.tsx'
import { OBJECT_SCREEN_PARTS } from './object-screen-parts.tsx'
import { RelatedObjects } from './related-objects.tsx'
import { Timeline } from './timeline.tsx'

/** Shows the state, the history and the upcoming events of an object of any type. */
export function ObjectScreen({ id }: { readonly id: string }) {
  const resource = isObjectId(id) ? resourceOfId(id) : undefined
  if (resource === undefined) return <UnknownObject id={id} />
  return <KnownObject resource={resource} id={id} />
}

function UnknownObject({ id }: { readonly id: string }) {
  return (
    <div class="stack">
      <h1>Unknown object</h1>
      <EmptyState title={`No object that the dashboard shows has the id ${id}`} command="paycli get --help">
        <p class="quiet">Search for an id, an e-mail address or an amount with the key /.</p>
      </EmptyState>
    </div>
  )
}

function KnownObject({ id, resource }: { readonly id: string; readonly resource: CatalogEntry }) {
  const { main: Main, side: Side, actions } = OBJECT_SCREEN_PARTS[resource.name] ?? {}
  const isRecorded = hasEvents(resource)
  const story = useObjectDetails(id, { ...resource, hasEvents: isRecorded })
  const { object, error, reload, now } = story
  if (object === null)
    return (
      <div class="stack">
        <h1>{id}</h1>
        {error === null ? <Loading /> : <ErrorNote error={error} onRetry={reload} />}
      </div>
    )
  return (
    <div class="object">
      <div class="stack">
        <ObjectHead object={object} now={now} />
        {error !== null && <ErrorNote error={error} onRetry={reload} />}
        {actions !== undefined && <ActionButtons object={object} actions={actions} onDone={reload} />}
        {Main !== undefined && <Main object={object} story={story} />}
        {isRecorded && <Timeline history={story.history} now={now} id={id} />}
        <section class="panel">
          <details>
            <summary>
              <h2>JSON</h2>
            </summary>
            <JsonView value={object} />
          </details>
        </section>
      </div>
      <div class="stack">
        {Side !== undefined && <Side object={object} story={story} />}
        <RelatedObjects object={object} related={story.related} />
        <div class="panel stack">
          <ObjectCommands id={id} />
        </div>
      </div>
    </div>
  )
}
