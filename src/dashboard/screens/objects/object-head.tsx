import { isJsonObject } from '../../../domain/core/json-object.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Status } from '../../components/status-badge.tsx'
import type { ApiObject } from '../../data/story-scope.ts'
import { headlineOf, typeNameOf } from '../../format/object-headline.ts'
import { describeState, factsOf } from './object-facts.ts'

interface ObjectHeadProps {
  readonly object: ApiObject
  readonly now: number | undefined
}

/** Shows the name of an object, its state and its fields. */
export function ObjectHead({ object, now }: ObjectHeadProps) {
  const { metadata } = object
  const headline = headlineOf(object)
  const state = describeState(object)
  const metadataEntries = isJsonObject(metadata) ? Object.entries(metadata) : []
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
        <Status object={object} />
      </div>
      <CopyText text={object.id} />
      {state !== '' && <p>{state}</p>}
      <dl class="facts">
        {factsOf(object).map(({ field, label, value }) => (
          <div key={field}>
            <dt title={field}>{label}</dt>
            <dd>
              <FieldValue value={value} now={now} />
            </dd>
          </div>
        ))}
        {metadataEntries.map(([name, value]) => (
          <div key={`metadata.${name}`}>
            <dt>
              <bdi class="clip">metadata.{name}</bdi>
            </dt>
            <dd>
              <bdi class="clip">{String(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
