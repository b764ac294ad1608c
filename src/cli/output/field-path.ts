import { UsageError } from '../errors/usage-error.ts'

const STEP = /\.?([^.[\]]+)|\[([^[\]]*)\]/gy
const MAX_NAMES = 50

interface Place {
  readonly value: unknown
  /** Path that led here, empty at the top. */
  readonly at: string
}

/** Refuses what is no path at all, whatever it would be looked up in. */
export function requirePaths(paths: readonly string[]): void {
  for (const path of paths) stepsOf(path)
}

/** The values at a path such as `data[0].id`, `data[].email` or `metadata[a.b]`; refuses with the fields known. */
export function valuesAt(value: unknown, path: string): unknown[] {
  let places: readonly Place[] = [{ value, at: '' }]
  for (const step of stepsOf(path)) places = places.flatMap((place) => follow(place, step, path))
  return places.map((place) => place.value)
}

/**
 * The values at a path of one of many entries that differ below their first fields: none where this one does not have
 * it. Refuses a first field that it does not have, as no other will.
 */
export function valuesWithin(entry: object, path: string): unknown[] {
  const [first = '', ...rest] = stepsOf(path)
  let places: readonly Place[] = follow({ value: entry, at: '' }, first, path)
  for (const step of rest) places = places.flatMap((place) => inside(place, step) ?? [])
  return places.map((place) => place.value)
}

// An empty step stands for every element of a list.
function stepsOf(path: string): string[] {
  const steps: string[] = []
  let end = 0
  for (const match of path.matchAll(STEP)) {
    steps.push(match[1] ?? match[2] ?? '')
    end = match.index + match[0].length
  }
  if (end === path.length && path !== '') return steps
  throw new UsageError('field_invalid', `'${path}' is no path to a field.`, {
    param: 'field',
    hint: 'Write a path such as id, metadata.order, data[0].id or data[].id',
  })
}

function inside({ value, at }: Place, step: string): Place[] | null {
  if (Array.isArray(value)) {
    if (step === '') return value.map((item, index) => ({ value: item, at: `${at}[${index}]` }))
    const index = Number(step)
    return /^\d+$/.test(step) && index < value.length ? [{ value: value[index], at: `${at}[${step}]` }] : null
  }
  if (typeof value !== 'object' || value === null) return null
  const inner = new Map<string, unknown>(Object.entries(value))
  return inner.has(step) ? [{ value: inner.get(step), at: at === '' ? step : `${at}.${step}` }] : null
}

function follow(place: Place, step: string, path: string): Place[] {
  const found = inside(place, step)
  if (found !== null) return found
  const { value, at } = place
  if (Array.isArray(value)) {
    const problem = `${at || 'The answer'} is a list of ${value.length}`
    throw unknown(path, problem, 'Write [0] for the first, [] for all.')
  }
  if (typeof value !== 'object' || value === null) {
    throw unknown(path, `${at} is ${value === null ? 'null' : `a ${typeof value}`}`, 'Shorten the path.')
  }
  const names = Object.keys(value).slice(0, MAX_NAMES).join(', ')
  throw unknown(path, `${at || 'The answer'} has no '${step}'`, `Fields: ${names || 'none'}.`)
}

function unknown(path: string, problem: string, otherwise: string): UsageError {
  // Other programs take a list of them.
  const hint = path.includes(',') ? 'Give --field once for each field.' : otherwise
  return new UsageError('field_unknown', `No field '${path}': ${problem}.`, { param: 'field', hint })
}
