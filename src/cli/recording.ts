import { isFields } from '../client/fields.ts'
import type { FixtureStep } from './fixture-files.ts'
import { asText } from './fixture-references.ts'
import { isKnownId } from './object-paths.ts'
import type { Recorded } from './recorder.ts'

/** An id as the service makes them: a kind and what is random. */
const ID = /\b[a-z]+(?:_[a-z]+)*_[0-9A-Za-z]{24}\b/
const WHOLE_ID = new RegExp(`^${ID.source}$`)

/** One that stands where its reference could be told from text; behind a dollar sign it could not. */
const REFERABLE = new RegExp(`(?<!\\$)${ID.source}`, 'g')

/** What was recorded so far. */
export interface Recording {
  /** Takes a request with its answer; they come in the order in which they were answered. */
  readonly note: (recorded: Recorded) => void
  /** Fixture steps of it: all changes, and before them what was looked at for the ids in them. */
  readonly steps: () => FixtureStep[]
  /** Ids in these steps that stay as they are, because no answer told of them before. */
  readonly literals: () => string[]
}

/** One request, and where the ids in it were seen before. */
interface Entry extends Pick<Recorded, 'method' | 'path' | 'params' | 'status'> {
  readonly ids: readonly string[]
  readonly places: ReadonlyMap<string, Place>
}

/** A field of an answer. */
interface Place {
  readonly entry: Entry
  readonly path: string
}

/** Begins a recording; an id that an earlier answer told becomes a reference to the step of that. */
export function startRecording(): Recording {
  const entries: Entry[] = []
  const told = new Map<string, Place>()
  return {
    note({ answer, ...request }) {
      const entry = entryOf(request, told)
      const news = [...placesIn(answer, { entry, path: '' })].filter(([id, place]) =>
        isBetter(place, told.get(id)),
      )
      const isOfUse = isChange(entry) || (isWhole(entry) && news.length > 0)
      if (!isOfUse) return
      entries.push(entry)
      for (const [id, place] of news) told.set(id, place)
    },
    steps: () => written(neededOf(entries)),
    literals: () => [...new Set(neededOf(entries).flatMap(strangersOf))],
  }
}

function entryOf(request: Omit<Recorded, 'answer'>, told: ReadonlyMap<string, Place>): Entry {
  const ids = [request.path, ...textsIn(request.params)].flatMap((text) => text.match(REFERABLE) ?? [])
  const places = ids.flatMap((id): [string, Place][] => {
    const place = told.get(id)
    return place === undefined ? [] : [[id, place]]
  })
  return { ...request, ids, places: new Map(places) }
}

function isChange({ method }: Entry): boolean {
  return method !== 'GET'
}

// What is asked for by an id that nothing told of is not there when the steps are carried out elsewhere.
function isWhole({ ids, places }: Entry): boolean {
  return ids.every((id) => places.has(id))
}

function strangersOf({ ids, places }: Entry): string[] {
  return ids.filter((id) => !places.has(id) && isKnownId(id))
}

// The first place is the answer to the request that made it. What was only looked at is less sure to be found again: a
// list of all there is may begin with others elsewhere, and one of what belongs to something recorded does not.
function isBetter({ entry }: Place, known: Place | undefined): boolean {
  return known === undefined || certaintyOf(entry) > certaintyOf(known.entry)
}

function certaintyOf(entry: Entry): number {
  if (isChange(entry)) return 2
  const sources = [...entry.places.values()]
  return sources.length > 0 && sources.every((place) => isChange(place.entry)) ? 1 : 0
}

// A place is always in an answer before, so those after it are asked first what they need.
function neededOf(entries: readonly Entry[]): Entry[] {
  const needed = new Set<Entry>()
  for (const entry of entries.toReversed()) {
    if (!isChange(entry) && !needed.has(entry)) continue
    needed.add(entry)
    for (const place of entry.places.values()) needed.add(place.entry)
  }
  return entries.filter((entry) => needed.has(entry))
}

function written(entries: readonly Entry[]): FixtureStep[] {
  const names = new Map(entries.map((entry, index) => [entry, `step${index + 1}`]))
  return entries.map((entry) => {
    const { method, path, params, status, places } = entry
    const referenceTo = (id: string) => {
      const place = places.get(id)
      return place === undefined ? id : `\${${names.get(place.entry)}.${place.path}}`
    }
    return {
      name: names.get(entry) ?? '',
      method: method as FixtureStep['method'],
      path: withReferences(path, referenceTo),
      params: referringIn(params, referenceTo) as FixtureStep['params'],
      ...(status >= 400 ? { expect: status } : {}),
    }
  })
}

// Of several places in one answer it is the first.
function placesIn(value: unknown, { entry, path }: Place): Map<string, Place> {
  if (typeof value === 'string') return new Map(WHOLE_ID.test(value) ? [[value, { entry, path }]] : [])
  if (typeof value !== 'object' || value === null) return new Map()
  const found = Object.entries(value).flatMap(([key, inner]) => {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    return [...placesIn(inner, { entry, path: path + step })]
  })
  return new Map(found.toReversed())
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function referringIn(value: unknown, referenceTo: (id: string) => string): unknown {
  if (typeof value === 'string') return withReferences(value, referenceTo)
  if (Array.isArray(value)) return value.map((one) => referringIn(one, referenceTo))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, referringIn(inner, referenceTo)]),
  )
}

function withReferences(text: string, referenceTo: (id: string) => string): string {
  return asText(text).replace(REFERABLE, referenceTo)
}
