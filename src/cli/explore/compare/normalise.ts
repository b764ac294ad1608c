import { EVENT_TYPES } from '../../../domain/core/event-types.ts'
import { isJsonObject, parseJson } from '../../../domain/core/json-object.ts'
import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import { isPlaceholder, isUnixTime, normaliseText } from './normalise-text.ts'

/** A JSON value whose ids and timestamps are placeholders. */
export type NormalisedValue = null | boolean | number | string | NormalisedList | NormalisedObject
/** A list with sorted entries, because their order is not compared. */
export type NormalisedList = readonly NormalisedValue[]
export interface NormalisedObject {
  readonly [field: string]: NormalisedValue
}

/** Returns whether a value is a list. */
export function isList(value: NormalisedValue): value is NormalisedList {
  return Array.isArray(value)
}

/** Returns whether a value is an object and not a list. */
export function isObject(value: NormalisedValue): value is NormalisedObject {
  return typeof value === 'object' && value !== null && !isList(value)
}

/** An observation that can be compared with the observations of other runs. */
export type NormalObservation = ReturnType<typeof normaliseObservation>

/** The placeholder of a value that is not compared. */
export const IGNORED_VALUE = '<ignored>'
/** Names of numbers that databases may skip, such as row ids, serial numbers and versions. */
const SERIAL_NAME = /(?:^|_)(?:id|seq|sequence|version|revision|number|rowid|nonce|pid|port)$|[a-z]Id$|^__v$/
const COUNTER_NAME =
  /(?:^|_)(?:webhooks?|deliver(?:y|ies)|events?|requests?|calls|hits|attempts?|retries|uptime|duration|elapsed|latency|received|duplicates?|ignored|skipped|rejected|errors)(?:_|$)|_ms$/
const MONEY_NAME = /amount|total|price|paid|balance|credit|revenue/
const LOG_NAME = /(?:^|_)logs?$/
const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)
/** Names of fields that contain an event type. */
const TYPE_NAME = /^(?:\[\])?$|(?:^|_)(?:type|event|name|topic|kind)$/
/** Names of fields that contain the last event of an object, such as `lastEvent`. */
const LAST_EVENT_NAME = /(?:^|_)(?:last|latest|previous|updated_by)/
/** The statuses with which apps log received webhooks. A status such as `active` is the state of an object. */
const RECEIVED =
  /^(?:ok|received|processed|processing|handled|done|success|succeeded|ignored|skipped|duplicate|error|failed|\d{3})$/i
const STATUS_NAME = /(?:^|_)(?:status|code|result|outcome)$/

/**
 * Returns an observation without values that differ from run to run, such as ids. JSON is normalised by fields, other
 * text by lines.
 */
export function normaliseObservation(text: string) {
  const places = new Map<string, string[]>()
  const ignored = new Set<string>()
  const parsed = parseObservation(text)
  const value = normalise(parsed, '', ignored)
  collectPlaces(parsed, places)
  return {
    value,
    /** The sorted paths at which each id occurs. Event ids are ignored. The list itself is sorted too. */
    references: [...places.values()].map((paths) => paths.sort().join(' ')).sort(),
    /** Paths that are not compared: counters and logs of webhooks and requests. */
    ignored: [...ignored].sort(),
  }
}

function parseObservation(text: string): unknown {
  const whole = parseJson(text)
  if (typeof whole === 'object' && whole !== null) return whole
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const parsed = lines.map(parseJson)
  return parsed.every((line) => isJsonObject(line)) ? parsed : lines
}

/** Returns the normalised value. Collects in `ignored` every path that the comparison skips. */
function normalise(value: unknown, path: string, ignored: Set<string>): NormalisedValue {
  if (Array.isArray(value)) return normaliseList(value, path, ignored)
  if (isJsonObject(value)) return normaliseObject(Object.entries(value), path, ignored)
  return normaliseScalar(value, fieldName(path))
}

function normaliseList(items: readonly unknown[], path: string, ignored: Set<string>): NormalisedList {
  const kept = items.filter((item) => !isWebhookLogEntry(item))
  if (kept.length < items.length) ignored.add(path === '' ? 'lines about webhooks' : path)
  return sortValues(kept.map((item) => normalise(item, `${path}[]`, ignored)))
}

type ObjectEntry = readonly [name: string, value: unknown]

// An object whose keys are ids is compared like a list of its values.
function normaliseObject(
  entries: readonly ObjectEntry[],
  path: string,
  ignored: Set<string>,
): NormalisedValue {
  const isNumbered = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
  const isId = ([key]: ObjectEntry) => isNumbered || isPlaceholder(normaliseText(key))
  const ids = entries.filter(isId)
  const byId = ids.filter((entry) => !isWebhookLogEntry(entry))
  if (byId.length < ids.length) ignored.add(path)
  const list = sortValues(byId.map(([, value]) => normalise(value, `${path}[]`, ignored)))
  const fields = entries.filter((entry) => !isId(entry))
  if (fields.length === 0 && ids.length > 0) return list
  const object = Object.fromEntries(
    fields.map((entry) => [normaliseText(entry[0]), normaliseField(entry, path, ignored)]),
  )
  return ids.length === 0 ? object : { ...object, '<id>': list }
}

function normaliseField([name, value]: ObjectEntry, parent: string, ignored: Set<string>): NormalisedValue {
  const path = joinFieldPath(parent, name)
  const isCounter = typeof value === 'number' && COUNTER_NAME.test(snakeCase(name)) && !MONEY_NAME.test(name)
  if (!isCounter && !LOG_NAME.test(snakeCase(name))) return normalise(value, path, ignored)
  ignored.add(path)
  return IGNORED_VALUE
}

function normaliseScalar(value: unknown, name: string): NormalisedValue {
  if (value === null || typeof value === 'boolean') return value
  const isSerial = SERIAL_NAME.test(name)
  if (typeof value === 'string' && TYPES.has(value) && LAST_EVENT_NAME.test(snakeCase(name))) return '<event>'
  if (typeof value === 'string') return isSerial && /^\d+$/.test(value) ? '<id>' : normaliseText(value)
  if (typeof value !== 'number') return null
  if (isUnixTime(value)) return '<time>'
  return isSerial ? '<id>' : value
}

function fieldName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** Returns values in a fixed order. */
export function sortValues(values: readonly NormalisedValue[]): NormalisedList {
  const keyed = values.map((value) => ({ value, key: toCanonicalJson(value) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ value }) => value)
}

function snakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
}

/**
 * Returns whether an entry logs a webhook: a line or an object with an event type. Such an object otherwise has only
 * ids, times and statuses.
 */
function isWebhookLogEntry(item: unknown): boolean {
  if (typeof item === 'string') return isEventId(item) || mentionsEventType(item)
  if (typeof item !== 'object' || item === null) return false
  let isMentioned = false
  let hasMore = false
  forEachLeaf(item, '', (leaf, path) => {
    const name = snakeCase(fieldName(path))
    if (typeof leaf === 'string' && (isEventId(leaf) || (TYPES.has(leaf) && TYPE_NAME.test(name)))) {
      if (LAST_EVENT_NAME.test(name)) return
      isMentioned = true
    } else if (!isInsignificant(leaf, name)) hasMore = true
  })
  return isMentioned && !hasMore
}

function isInsignificant(leaf: unknown, name: string): boolean {
  if (leaf === null || (typeof leaf === 'number' && COUNTER_NAME.test(name))) return true
  if (STATUS_NAME.test(name)) return RECEIVED.test(String(leaf))
  const normal = normaliseScalar(leaf, name)
  return typeof normal === 'string' && isPlaceholder(normal)
}

function mentionsEventType(line: string): boolean {
  return line.split(/[^\w.]+/).some((word) => TYPES.has(word))
}

function isEventId(text: string): boolean {
  return normaliseText(text) === '<evt>'
}

function collectPlaces(value: unknown, places: Map<string, string[]>): void {
  forEachLeaf(value, '', (leaf, at) => {
    if (typeof leaf !== 'string' || isEventId(leaf)) return
    const normal = normaliseText(leaf)
    if (!isPlaceholder(normal) || normal.includes('<time>')) return
    places.set(leaf, [...(places.get(leaf) ?? []), at])
  })
}

/** Calls a function with each scalar of a value and its path, in which `[]` stands for any entry of a list. */
function forEachLeaf(value: unknown, path: string, visit: (leaf: unknown, path: string) => void): void {
  if (Array.isArray(value)) for (const item of value) forEachLeaf(item, `${path}[]`, visit)
  else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      forEachLeaf(inner, isPlaceholder(normaliseText(key)) ? `${path}[]` : joinFieldPath(path, key), visit)
    }
  } else visit(value, path)
}

/** Returns the path of a field of an object. */
export function joinFieldPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
