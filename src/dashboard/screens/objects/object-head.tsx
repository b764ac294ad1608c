import { isJsonObject } from '../../../domain/core/json-object.ts'
import { isTimestampField } from '../../../domain/text/field-names.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Status } from '../../components/status-badge.tsx'
import { UtcTime } from '../../components/values.tsx'
import type { ApiObject } from '../../data/story-scope.ts'
import { headlineOf, typeNameOf } from '../../format/object-headline.ts'
import { describeState, type Fact, factsOf } from './object-facts.ts'

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
        {factsOf(object).map((fact) => (
          <FactRow key={fact.field} fact={fact} seconds={object[fact.field]} now={now} />
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

interface FactRowProps {
  readonly fact: Fact
  /** The value of the field, for fields with a time. */
  readonly seconds: unknown
  readonly now: number | undefined
}

function FactRow({ fact: { field, label, value }, seconds, now }: FactRowProps) {
  const isTime = typeof seconds === 'number' && isTimestampField(field)
  return (
    <div>
      <dt title={field}>{label}</dt>
      <dd>
        {isTime ? (
          <UtcTime at={seconds} {...(now === undefined ? {} : { now })} />
        ) : (
          <FieldValue value={value} />
        )}
      </dd>
    </div>
  )
}
