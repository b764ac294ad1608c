import { countOf } from '../../../presentation/words.ts'
import { ObjectLink } from '../../components/links.tsx'
import { Loading, Panel } from '../../components/states.tsx'
import { Status } from '../../components/status-badge.tsx'
import { type ApiObject, findReferences, type RelatedGroup } from '../../data/story-scope.ts'
import { labelOf } from '../../format/differences.ts'
import { headlineOf } from '../../format/object-headline.ts'

interface RelatedObjectsProps {
  readonly object: ApiObject
  readonly related: readonly RelatedGroup[] | null
}

const SHOWN = 8

/** Shows the objects that an object refers to, and those that refer to it. */
export function RelatedObjects({ object, related }: RelatedObjectsProps) {
  const references = findReferences(object)
  return (
    <Panel title="Related objects">
      {references.length > 0 && (
        <dl class="stack">
          {references.map(({ field, id }) => (
            <div key={field}>
              <dt>{labelOf(field)}</dt>
              <dd>
                <ObjectLink id={id} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {related === null && <Loading />}
      {related?.map((group) => (
        <Group key={group.title} group={group} />
      ))}
      {related?.length === 0 && references.length === 0 && <p class="quiet">None</p>}
    </Panel>
  )
}

function Group({ group: { title, objects, hasMore } }: { readonly group: RelatedGroup }) {
  const rest = objects.length - SHOWN
  return (
    <section aria-label={title}>
      <h3>
        {title}{' '}
        <span class="quiet">
          {objects.length}
          {hasMore && ' or more'}
        </span>
      </h3>
      <ul class="related">
        {objects.slice(0, SHOWN).map((object) => (
          <RelatedObject key={object.id} object={object} />
        ))}
      </ul>
      {rest > 0 && (
        <details>
          <summary>{countOf(rest, 'older object')}</summary>
          <ul class="related">
            {objects.slice(SHOWN).map((object) => (
              <RelatedObject key={object.id} object={object} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function RelatedObject({ object }: { readonly object: ApiObject }) {
  return (
    <li>
      <ObjectLink id={object.id}>
        <bdi class="clip">{headlineOf(object) || object.id}</bdi>
      </ObjectLink>
      <Status object={object} />
    </li>
  )
}
