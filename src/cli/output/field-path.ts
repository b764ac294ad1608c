import { findNearestName } from '../../api/schema/spelling.ts'
import { UsageError } from '../errors/usage-error.ts'

const STEP = /\.?([^.[\]]+)|\[([^[\]]*)\]/gy
const MAX_NAMES = 50

/** A value with its path, which is empty for the response itself. */
interface PathMatch {
  readonly value: unknown
  readonly path: string
}

/** Throws when a path is syntactically invalid. */
export function validateFieldPaths(paths: readonly string[]): void {
  for (const path of paths) splitPath(path)
}

/** Returns the values at a path such as `data[0].id`, `data[].email` or `metadata[a.b]`. Throws when a field does not exist. */
export function getValuesAtPath(value: unknown, path: string): unknown[] {
  let matches: readonly PathMatch[] = [{ value, path: '' }]
  for (const step of splitPath(path)) matches = matches.flatMap((match) => requireChildren(match, step, path))
  return matches.map((match) => match.value)
}

/**
 * Returns the values at a path of a stream entry, or an empty list when an inner field does not exist. Throws when the
 * first field does not exist, because all entries have the same outer fields.
 */
export function findStreamEntryValues(entry: object, path: string): unknown[] {
  const [first = '', ...rest] = splitPath(path)
  let matches: readonly PathMatch[] = requireChildren({ value: entry, path: '' }, first, path)
  for (const step of rest) matches = matches.flatMap((match) => findChildren(match, step) ?? [])
  return matches.map((match) => match.value)
}

// An empty step selects every element of a list.
function splitPath(path: string): string[] {
  const steps: string[] = []
  let end = 0
  for (const match of path.matchAll(STEP)) {
    steps.push(match[1] ?? match[2] ?? '')
    end = match.index + match[0].length
  }
  if (end === path.length && path !== '') return steps
  throw new UsageError('field_invalid', `Invalid field path '${path}'.`, {
    param: 'field',
    hint: 'Use a path such as id, metadata.order, data[0].id or data[].id',
  })
}

function findChildren({ value, path }: PathMatch, step: string): PathMatch[] | null {
  if (Array.isArray(value)) {
    if (step === '') return value.map((item, index) => ({ value: item, path: `${path}[${index}]` }))
    const index = Number(step)
    return /^\d+$/.test(step) && index < value.length
      ? [{ value: value[index], path: `${path}[${step}]` }]
      : null
  }
  if (typeof value !== 'object' || value === null) return null
  const inner = new Map<string, unknown>(Object.entries(value))
  return inner.has(step) ? [{ value: inner.get(step), path: path === '' ? step : `${path}.${step}` }] : null
}

function requireChildren(parent: PathMatch, step: string, path: string): PathMatch[] {
  const children = findChildren(parent, step)
  if (children !== null) return children
  const { value } = parent
  const subject = parent.path || 'The response'
  if (Array.isArray(value)) {
    const problem = `${subject} is a list of ${value.length}`
    throw unknownField(path, problem, 'Use [0] for the first element, [] for all.')
  }
  if (typeof value !== 'object' || value === null) {
    throw unknownField(
      path,
      `${subject} is ${value === null ? 'null' : `a ${typeof value}`}`,
      'Shorten the path.',
    )
  }
  const names = Object.keys(value).slice(0, MAX_NAMES).join(', ')
  throw unknownField(
    path,
    `${subject} has no '${step}'`,
    `Fields: ${names || 'none'}.${suggestElementPath(value, path)}`,
  )
}

/** Returns the path of a field of the list elements as the end of a hint; empty if the response is not a list. */
function suggestElementPath(response: object, path: string): string {
  const { object, data }: { object?: unknown; data?: unknown } = response
  if (object !== 'list' || !Array.isArray(data)) return ''
  const names = Object.keys(data[0] ?? {})
  const [name = ''] = splitPath(path.replace(/^\[\d*\]\.?(?=.)/, ''))
  return ` For each element: --field 'data[].${findNearestName(name, names) ?? 'id'}'`
}

function unknownField(path: string, problem: string, fix: string): UsageError {
  // Other programs accept a comma-separated list of fields.
  const hint = path.includes(',') ? 'Repeat --field for each field.' : fix
  return new UsageError('field_unknown', `Unknown field '${path}': ${problem}.`, { param: 'field', hint })
}
