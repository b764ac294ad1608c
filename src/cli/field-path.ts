import { UsageError } from './usage-error.ts'

const STEP = /\.?([^.[\]]+)|\[([^[\]]*)\]/gy
const MAX_NAMES = 50

interface Place {
  readonly value: unknown
  /** Path that led here, empty at the top. */
  readonly at: string
}

/** The values at a path such as `data[0].id`, `data[].email` or `metadata[a.b]`; refuses with the fields known. */
export function valuesAt(value: unknown, path: string): unknown[] {
  let places: readonly Place[] = [{ value, at: '' }]
  for (const step of stepsOf(path)) places = places.flatMap((place) => follow(place, step, path))
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

function follow({ value, at }: Place, step: string, path: string): Place[] {
  if (Array.isArray(value)) {
    if (step === '') return value.map((item, index) => ({ value: item, at: `${at}[${index}]` }))
    const index = Number(step)
    if (/^\d+$/.test(step) && index < value.length) return [{ value: value[index], at: `${at}[${step}]` }]
    throw unknown(
      path,
      `${at || 'The answer'} is a list of ${value.length}`,
      'Write [0] for the first, [] for all.',
    )
  }
  if (typeof value !== 'object' || value === null) {
    throw unknown(path, `${at} is ${value === null ? 'null' : `a ${typeof value}`}`, 'Shorten the path.')
  }
  const inner = new Map<string, unknown>(Object.entries(value))
  if (inner.has(step)) return [{ value: inner.get(step), at: at === '' ? step : `${at}.${step}` }]
  const names = [...inner.keys()].slice(0, MAX_NAMES).join(', ')
  throw unknown(path, `${at || 'The answer'} has no '${step}'`, `Fields: ${names || 'none'}.`)
}

function unknown(path: string, problem: string, otherwise: string): UsageError {
  // Other programs take a list of them.
  const hint = path.includes(',') ? 'Give --field once for each field.' : otherwise
  return new UsageError('field_unknown', `No field '${path}': ${problem}.`, { param: 'field', hint })
}
