import { canonicalJson } from '../../../domain/text/canonical-json.ts'
import type { DifferenceDirection, RunDifference } from './difference.ts'
import { joinPath, type NormalList, type NormalObject, type NormalValue } from './normalise.ts'

/** Larger sets of changed entries are only counted, because pairing them takes quadratic time. */
const MAX_PAIRED = 60
const MAX_VALUE_CHARACTERS = 100

/** A difference of two observations. */
export interface ValueDifference extends RunDifference {
  readonly kind: 'observation'
  /** The added or missing entry; for a changed value, the expected value. */
  readonly entry: NormalValue
  /** Whether an added entry equals an expected entry. */
  readonly isCopy: boolean
}

/** Returns the differences between an observation and the expected one. */
export function compareValues(expected: NormalValue, actual: NormalValue, path = ''): ValueDifference[] {
  if (canonicalJson(expected) === canonicalJson(actual)) return []
  if (isList(expected) && isList(actual)) return compareLists(expected, actual, path)
  if (isObject(expected) && isObject(actual)) return compareObjects(expected, actual, path)
  const text = `${path === '' ? 'the output' : path}: ${shorten(actual)} instead of ${shorten(expected)}`
  return [difference({ change: 'changed', path, expected, actual, text })]
}

function compareObjects(expected: NormalObject, actual: NormalObject, path: string): ValueDifference[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort()
  return names.flatMap((name) => {
    const [before, now] = [expected[name], actual[name]]
    const at = joinPath(path, name)
    if (before === undefined && now !== undefined) return compareMissing('more', now, at)
    if (now === undefined && before !== undefined) return compareMissing('less', before, at)
    return before === undefined || now === undefined ? [] : compareValues(before, now, at)
  })
}

// A missing field equals an empty list, an empty object or null.
function compareMissing(change: 'more' | 'less', value: NormalValue, path: string): ValueDifference[] {
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  if (isEmpty) return []
  const [expected, actual] = change === 'more' ? [null, value] : [value, null]
  if (isList(value)) return compareLists(isList(expected) ? expected : [], isList(actual) ? actual : [], path)
  const text = change === 'more' ? `${path}: ${shorten(value)}, not expected` : `${path}: missing`
  return [{ ...difference({ change, path, expected, actual, text }), entry: value }]
}

function compareLists(expected: NormalList, actual: NormalList, path: string): ValueDifference[] {
  const missing = subtract(expected, actual)
  const added = subtract(actual, expected)
  const { pairs, rest, extra } = pairSimilar(missing, added)
  const changes = pairs.flatMap(([before, now]) => compareValues(before, now, `${path}[]`))
  if (rest.length === 0 && extra.length === 0) return mergeEqual(changes)
  const change: DifferenceDirection = actual.length >= expected.length ? 'more' : 'less'
  const entries = change === 'more' ? extra : rest
  const known = new Set(expected.map(canonicalJson))
  const counts = { expected: expected.length, actual: actual.length }
  const counted = entries.map((entry) => ({
    ...difference({ change, path, ...counts, text: describeCount(path, counts, entries) }),
    entry,
    isCopy: known.has(canonicalJson(entry)),
  }))
  return mergeEqual([...counted, ...changes])
}

function describeCount(
  path: string,
  { expected, actual }: { readonly expected: number; readonly actual: number },
  entries: readonly NormalValue[],
): string {
  const [first] = entries
  const shown = first === undefined ? '' : ` (${actual > expected ? 'extra' : 'missing'}: ${shorten(first)})`
  const noun = path === '' ? 'the output' : path
  const unit = typeof first === 'string' && path === '' ? ['line', 'lines'] : ['entry', 'entries']
  return `${noun}: ${actual === 0 ? 'no' : actual} ${unit[actual === 1 ? 0 : 1]} instead of ${expected}${shown}`
}

// Entries that changed in the same way are one difference.
function mergeEqual(differences: readonly ValueDifference[]): ValueDifference[] {
  const byText = new Map(differences.map((one) => [`${one.text} ${one.isCopy}`, one]))
  return [...byText.values()]
}

/** Returns the items of a list that another list lacks; equal items count one by one. */
function subtract(list: NormalList, other: NormalList): NormalList {
  const counts = new Map<string, number>()
  for (const key of other.map(canonicalJson)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return list.filter((item) => {
    const key = canonicalJson(item)
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  })
}

interface PairedEntries {
  readonly pairs: readonly (readonly [NormalValue, NormalValue])[]
  readonly rest: NormalList
  readonly extra: NormalList
}

/** Pairs each missing entry with the most similar added one. */
function pairSimilar(missing: NormalList, added: NormalList): PairedEntries {
  if (missing.length * added.length > MAX_PAIRED ** 2) return { pairs: [], rest: missing, extra: added }
  const candidates = missing.flatMap((before) =>
    added.map((now) => ({ before, now, similarity: similarity(before, now) })),
  )
  candidates.sort((a, b) => b.similarity - a.similarity)
  const pairs: (readonly [NormalValue, NormalValue])[] = []
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

function similarity(a: NormalValue, b: NormalValue): number {
  if (!isObject(a) || !isObject(b)) return 0
  const names = Object.keys(a)
  const equal = names.filter((name) => canonicalJson(a[name] ?? null) === canonicalJson(b[name] ?? null))
  return equal.length / Math.max(1, names.length)
}

interface DifferenceFields {
  readonly change: DifferenceDirection
  readonly path: string
  readonly expected: NormalValue
  readonly actual: NormalValue
  readonly text: string
}

function difference({ change, path, expected, actual, text }: DifferenceFields): ValueDifference {
  const shown = { expected: canonicalJson(expected), actual: canonicalJson(actual) }
  return { kind: 'observation', change, path, ...shown, text, entry: expected, isCopy: false }
}

function shorten(value: NormalValue): string {
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…` : text
}

function isList(value: NormalValue): value is NormalList {
  return Array.isArray(value)
}

function isObject(value: NormalValue): value is NormalObject {
  return typeof value === 'object' && value !== null && !isList(value)
}
