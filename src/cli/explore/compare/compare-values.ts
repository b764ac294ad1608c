import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import type { PossibleFinding } from './finding-rules.ts'
import {
  isList,
  isObject,
  joinFieldPath,
  type NormalisedList,
  type NormalisedObject,
  type NormalisedValue,
} from './normalise.ts'

/** Larger sets of changed entries are only counted, because pairing them takes quadratic time. */
const MAX_PAIRED = 60
const MAX_VALUE_CHARACTERS = 100

/** Returns the differences between an observation and the expected observation. */
export function compareValues(
  expected: NormalisedValue,
  actual: NormalisedValue,
  path = '',
): PossibleFinding[] {
  if (toCanonicalJson(expected) === toCanonicalJson(actual)) return []
  if (isList(expected) && isList(actual)) return compareLists(expected, actual, path)
  if (isObject(expected) && isObject(actual)) return compareObjects(expected, actual, path)
  const text = `${path === '' ? 'the output' : path}: ${shorten(actual)} instead of ${shorten(expected)}`
  return [
    difference(expected, actual, {
      change: 'changed',
      path,
      meaning: 'value changed',
      entry: expected,
      text,
    }),
  ]
}

function compareObjects(
  expected: NormalisedObject,
  actual: NormalisedObject,
  path: string,
): PossibleFinding[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort()
  return names.flatMap((name) => {
    const [before, now] = [expected[name], actual[name]]
    const at = joinFieldPath(path, name)
    if (before !== undefined && now !== undefined) return compareValues(before, now, at)
    return compareMissing(now === undefined ? 'less' : 'more', before ?? now ?? null, at)
  })
}

// A missing field equals an empty list, an empty object or null.
function compareMissing(change: 'more' | 'less', value: NormalisedValue, path: string): PossibleFinding[] {
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  if (isEmpty) return []
  const isMore = change === 'more'
  if (isList(value)) return isMore ? compareLists([], value, path) : compareLists(value, [], path)
  const [expected, actual] = isMore ? [null, value] : [value, null]
  const meaning = isMore ? 'entry added' : 'entry missing'
  const text = isMore ? `${path}: ${shorten(value)}, not expected` : `${path}: missing`
  return [difference(expected, actual, { change, path, meaning, entry: value, text })]
}

function compareLists(expected: NormalisedList, actual: NormalisedList, path: string): PossibleFinding[] {
  const missing = subtract(expected, actual)
  const added = subtract(actual, expected)
  const { pairs, rest, extra } = pairSimilar(missing, added)
  const changes = pairs.flatMap(([before, now]) => compareValues(before, now, `${path}[]`))
  if (rest.length === 0 && extra.length === 0) return mergeEqual(changes)
  const isMore = actual.length >= expected.length
  const entries = isMore ? extra : rest
  const known = new Set(expected.map(toCanonicalJson))
  const meaningOf = (entry: NormalisedValue) => {
    if (!isMore) return 'entry missing'
    return known.has(toCanonicalJson(entry)) ? 'entry repeated' : 'entry added'
  }
  const counts = [expected.length, actual.length] as const
  const text = describeCount(path, counts, entries)
  const change = isMore ? 'more' : 'less'
  const counted = entries.map((entry) =>
    difference(...counts, { change, path, meaning: meaningOf(entry), entry, text }),
  )
  return mergeEqual([...counted, ...changes])
}

/** Returns a difference between two observations, with both values as JSON. */
function difference(
  expected: NormalisedValue,
  actual: NormalisedValue,
  fields: Omit<PossibleFinding, 'kind' | 'expected' | 'actual'>,
): PossibleFinding {
  return {
    kind: 'observation',
    ...fields,
    expected: toCanonicalJson(expected),
    actual: toCanonicalJson(actual),
  }
}

function describeCount(
  path: string,
  [expected, actual]: readonly [expected: number, actual: number],
  entries: readonly NormalisedValue[],
): string {
  const [first] = entries
  const shown = first === undefined ? '' : ` (${actual > expected ? 'extra' : 'missing'}: ${shorten(first)})`
  const noun = path === '' ? 'the output' : path
  const unit = typeof first === 'string' && path === '' ? ['line', 'lines'] : ['entry', 'entries']
  return `${noun}: ${actual === 0 ? 'no' : actual} ${unit[actual === 1 ? 0 : 1]} instead of ${expected}${shown}`
}

// Entries with the same change are reported as a single difference.
function mergeEqual(differences: readonly PossibleFinding[]): PossibleFinding[] {
  const byText = new Map(differences.map((one) => [`${one.text} ${one.meaning}`, one]))
  return [...byText.values()]
}

/** Returns the items of `list` that `other` lacks. Duplicates are counted, so `[a, a]` minus `[a]` is `[a]`. */
function subtract(list: NormalisedList, other: NormalisedList): NormalisedList {
  const counts = new Map<string, number>()
  for (const key of other.map(toCanonicalJson)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return list.filter((item) => {
    const key = toCanonicalJson(item)
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  })
}

/** Pairs each missing entry with the most similar added entry. */
function pairSimilar(missing: NormalisedList, added: NormalisedList) {
  if (missing.length * added.length > MAX_PAIRED ** 2) return { pairs: [], rest: missing, extra: added }
  const candidates = missing.flatMap((before) =>
    added.map((now) => ({ before, now, similarity: similarity(before, now) })),
  )
  candidates.sort((a, b) => b.similarity - a.similarity)
  const pairs: (readonly [NormalisedValue, NormalisedValue])[] = []
  const rest = [...missing]
  const extra = [...added]
  for (const { before, now } of candidates) {
    if (!rest.includes(before) || !extra.includes(now)) continue
    rest.splice(rest.indexOf(before), 1)
    extra.splice(extra.indexOf(now), 1)
    pairs.push([before, now])
  }
  return { pairs, rest, extra }
}

function similarity(a: NormalisedValue, b: NormalisedValue): number {
  if (!isObject(a) || !isObject(b)) return 0
  const names = Object.keys(a)
  const equal = names.filter((name) => toCanonicalJson(a[name] ?? null) === toCanonicalJson(b[name] ?? null))
  return equal.length / Math.max(1, names.length)
}

function shorten(value: NormalisedValue): string {
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…` : text
}
