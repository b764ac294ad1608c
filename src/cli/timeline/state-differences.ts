import type { JsonObject } from '../../domain/core/json-object.ts'
import { findCurrency } from '../../presentation/field-values.ts'
import { diffObjects, type FieldChange } from '../../presentation/json-diff.ts'
import { formatCompactField, formatValue } from '../output/format-values.ts'
import { wrapCommaList } from '../output/text-layout.ts'
import { alignColumns } from '../views/columns.ts'

const MAX_VALUE_CHARACTERS = 60
const INDENT = '         '

/** An object that differs between two databases. `before` is null for an added object, `now` for a removed object. */
interface ObjectDifference {
  readonly change: 'added' | 'removed' | 'changed'
  readonly before: object | null
  readonly now: object | null
}

/** Converts a difference to its JSON form. An added or removed object has no changes. */
export function toStateDifference({ change, before, now }: ObjectDifference) {
  const { object, id }: JsonObject = { ...(now ?? before) }
  const changes = before === null || now === null ? [] : diffObjects({ ...before }, { ...now })
  return { change, object: String(object), id: String(id), changes }
}

/** Formats differences as text: a line per object, with its changed fields below. */
export function formatDifferences(differences: readonly ObjectDifference[], width: number): string {
  if (differences.length === 0) return 'No differences.\n'
  const rows = differences.map((one) => {
    const difference = toStateDifference(one)
    return { ...difference, words: formatChanges(difference.changes, { ...one.now }) }
  })
  const table = alignColumns(rows.map(({ change, object }) => [change, formatValue(object)]))
  return rows
    .map(({ id, words }, index) => {
      const head = `${[...(table[index] ?? []), formatValue(id)].join('  ')}\n`
      const lines = wrapCommaList(words, width - INDENT.length)
      return head + lines.map((line) => `${INDENT}${line}\n`).join('')
    })
    .join('')
}

function formatChanges(changes: readonly FieldChange[], object: JsonObject): string[] {
  const currency = findCurrency(object)
  return changes.map(({ field, from, to }) => {
    const values = [from, to].map((value) =>
      value == null ? 'not set' : truncate(formatCompactField(field, value, currency)),
    )
    return `${truncate(formatValue(field))} ${values.join(' -> ')}`
  })
}

function truncate(text: string): string {
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…` : text
}
