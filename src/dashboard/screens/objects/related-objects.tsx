import type { JsonObject } from '../../../domain/core/json-object.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { FactList } from '../../components/fact-list.tsx'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { ObjectLink, ObjectStatusBadges } from '../../components/values.tsx'
import { type ApiObject, listObjectReferences, type RelatedGroup } from '../../data/history-scope.ts'
import { useApi } from '../../data/use-load.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { getFieldLabel } from '../../format/differences.ts'
import { findResourceByObjectId } from '../../format/format-field.ts'
import { formatObjectHeadline } from '../../format/object-headline.ts'
import { describeState } from './object-head-fields.ts'

const SHOWN = 8

/** Shows the objects that an object refers to, and the objects that refer to that object. */
export function RelatedObjects({ object, details: { related } }: ObjectDetailsProps) {
  const references = listObjectReferences(object)
  const referred = new Set(references.map(({ id }) => id))
  const groups = related?.map((group) => ({
    ...group,
    objects: group.objects.filter(({ id }) => !referred.has(id)),
  }))
  return (
    <Panel title="Related objects">
      {references.length > 0 && (
        <FactList
          facts={references.map(({ field, id }) => [getFieldLabel(field), <Reference key={id} id={id} />])}
        />
      )}
      <LoadNote data={related} />
      {groups?.map((group) => group.objects.length > 0 && <Group key={group.title} group={group} />)}
      {related?.length === 0 && references.length === 0 && <p class="quiet">None</p>}
    </Panel>
  )
}

/** Loads an object by id, and shows its headline. */
function Reference({ id }: { readonly id: string }) {
  const { data: object } = useApi<ApiObject>(`/v1/${findResourceByObjectId(id)?.path}/${id}`)
  return object === null ? <ObjectLink id={id} /> : <RelatedObjectLink object={object} />
}

function Group({ group: { title, objects, hasMore } }: { readonly group: RelatedGroup }) {
  const rows = objects.map((object) => <RelatedObjectLink key={object.id} object={object} />)
  const rest = rows.length - SHOWN
  return (
    <section aria-label={title}>
      <h3>
        {title}{' '}
        <span class="quiet">
          {objects.length}
          {hasMore && ' or more'}
        </span>
      </h3>
      {rows.slice(0, SHOWN)}
      {rest > 0 && (
        <details>
          <summary>{formatCountWithNoun(rest, 'older object')}</summary>
          {rows.slice(SHOWN)}
        </details>
      )}
    </section>
  )
}

/** Shows a link to an object by its headline, and the state of the object. */
export function RelatedObjectLink({ object }: { readonly object: JsonObject & { readonly id: string } }) {
  const state = describeState(object)
  return (
    <>
      <div class="row spread">
        <ObjectLink id={object.id}>
          <bdi class="clip">{formatObjectHeadline(object) || object.id}</bdi>
        </ObjectLink>
        <ObjectStatusBadges object={object} />
      </div>
      {state !== '' && <p class="quiet small">{state}</p>}
    </>
  )
}
