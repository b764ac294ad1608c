import { CopyText } from '../../components/copy-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { ObjectStatusBadges } from '../../components/status-badge.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import { headlineOf, typeNameOf } from '../../format/object-headline.ts'
import { describeState, headFieldsOf } from './object-head-fields.ts'

interface ObjectHeadProps {
  readonly object: ApiObject
  readonly now: number | undefined
}

/** Shows the name of an object, its state and its fields. */
export function ObjectHead({ object, now }: ObjectHeadProps) {
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
        class="facts"
        facts={headFieldsOf(object).map(({ field, label, value }) => [
          label,
          <FieldValue key={field} value={value} now={now} />,
          field,
        ])}
      />
    </section>
  )
}
