import { isFields } from '../client/fields.ts'
import type { FixtureStep } from './fixture-files.ts'
import { asText } from './fixture-references.ts'
import type { Recorded } from './recorder.ts'

/** An id as the service makes them: a kind and what is random. */
const ID = /\b[a-z]+(?:_[a-z]+)*_[0-9A-Za-z]{24}\b/g

/** One that stands where its reference could be told from text; behind a dollar sign it could not. */
const REFERABLE = new RegExp(`(?<!\\$)${ID.source}`, 'g')

/** Fixture steps of what was recorded; an id that an earlier step was answered becomes a reference to that. */
export function stepsOf(recorded: readonly Recorded[]): FixtureStep[] {
  const places = new Map<string, string>()
  return recorded.map(({ method, path, params, status, answer }, index) => {
    const name = `step${index + 1}`
    const step = {
      name,
      method: method as FixtureStep['method'],
      path: withReferences(path, places),
      params: referringIn(params, places) as FixtureStep['params'],
      ...(status >= 400 ? { expect: status } : {}),
    }
    notePlaces(answer, { name, path: '', places })
    return step
  })
}

interface Noting {
  readonly name: string
  readonly path: string
  readonly places: Map<string, string>
}

// The first place in which an id was seen is the answer to the request that made it.
function notePlaces(value: unknown, { name, path, places }: Noting): void {
  if (typeof value === 'string') {
    if (new RegExp(`^${ID.source}$`).test(value) && !places.has(value))
      places.set(value, `\${${name}.${path}}`)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    notePlaces(inner, { name, path: path + step, places })
  }
}

function referringIn(value: unknown, places: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return withReferences(value, places)
  if (Array.isArray(value)) return value.map((one) => referringIn(one, places))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, referringIn(inner, places)]))
}

function withReferences(text: string, places: ReadonlyMap<string, string>): string {
  return asText(text).replace(REFERABLE, (id) => places.get(id) ?? id)
}
