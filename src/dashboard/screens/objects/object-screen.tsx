import { type CatalogEntry, resourceOfId } from '../../../api/resources/catalog.ts'
import { hasEvents } from '../../../domain/core/event-types.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { EmptyState, ErrorNote, Loading } from '../../components/placeholders.tsx'
import { ObjectStatusBadges } from '../../components/status-badge.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import { useObjectDetails } from '../../data/use-object-details.ts'
import { isObjectId } from '../../format/format-field.ts'
import { headlineOf, typeNameOf } from '../../format/object-headline.ts'
import { ActionButtons } from './action-buttons.tsx'
import { OBJECT_ACTIONS } from './object-actions.ts'
import { describeState, headFieldsOf } from './object-head-fields.ts'
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
  const { main: Main, side: Side } = OBJECT_SCREEN_PARTS[resource.name] ?? {}
  const actions = OBJECT_ACTIONS[resource.name]
  const isRecorded = hasEvents(resource)
  const story = useObjectDetails(id, resource)
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
        <ObjectCommands id={id} />
      </div>
    </div>
  )
}

/** Shows the name of an object, its state and its fields. */
function ObjectHead({ object, now }: { readonly object: ApiObject; readonly now: number | undefined }) {
  const headline = headlineOf(object)
  const state = describeState(object)
  return (
    <section class="panel stack">
      <div class="row">
        <h1>
          {typeNameOf(object)}
          {headline !== '' && (
            <>
              {' '}
              <bdi class="headline">{headline}</bdi>
            </>
          )}
        </h1>
        <ObjectStatusBadges object={object} />
      </div>
      <CopyText text={object.id} />
      {state !== '' && <p>{state}</p>}
      <FactList
        class="columns narrow"
        facts={headFieldsOf(object).map(({ field, label, value }) => [
          label,
          <FieldValue key={field} value={value} now={now} />,
          field,
        ])}
      />
    </section>
  )
}
