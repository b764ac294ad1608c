import { canonicalJson } from '../../../domain/text/canonical-json.ts'
import {
  IGNORED_VALUE,
  isList,
  isObject,
  joinFieldPath,
  type NormalObservation,
  type NormalValue,
  sortValues,
} from './normalise.ts'

/** The values that differ between runs without faults, and are therefore never compared. */
export interface Noise {
  /** Paths of values; a path that ends in `.length` is the length of a list. */
  readonly paths: ReadonlySet<string>
  /** Paths and shapes of values in lists, such as log lines with a duration. */
  readonly shapes: ReadonlySet<string>
  readonly hasReferences: boolean
}

/** Returns the values that differ between observations of runs without faults. */
export function learnNoise(observations: readonly NormalObservation[]): Noise {
  const shapes = new Set<string>()
  const paths = new Set<string>()
  const [before = new Map<string, string[]>(), ...others] = observations.map(({ value }) =>
    collectFacts(value),
  )
  for (const now of others) {
    for (const path of new Set([...before.keys(), ...now.keys()])) {
      const [a, b] = [before.get(path) ?? [], now.get(path) ?? []]
      if (canonicalJson([...a].sort()) === canonicalJson([...b].sort())) continue
      if (!path.endsWith('[]')) paths.add(path)
      else for (const text of exclusiveOr(a, b)) shapes.add(shapeOf(path, text))
    }
  }
  // If only noise differs, the list has the same length without it, so its length is not noise.
  const references = new Set(observations.map((one) => canonicalJson(one.references)))
  const learnt = { paths, shapes, hasReferences: references.size > 1 }
  return withoutExplainedLengths(learnt, observations)
}

function exclusiveOr(a: readonly string[], b: readonly string[]): string[] {
  return [...a.filter((one) => !b.includes(one)), ...b.filter((one) => !a.includes(one))]
}

function withoutExplainedLengths(noise: Noise, observations: readonly NormalObservation[]): Noise {
  const explained = [...noise.paths].filter((path) => {
    if (!path.endsWith('.length')) return false
    const rest = { ...noise, paths: new Set([...noise.paths].filter((one) => one !== path)) }
    const lengths = observations.map(({ value }) => collectFacts(removeNoise(value, rest)).get(path) ?? [])
    return new Set(lengths.map(canonicalJson)).size === 1
  })
  return { ...noise, paths: new Set([...noise.paths].filter((path) => !explained.includes(path))) }
}

/** Returns a value without noise. */
export function removeNoise(value: NormalValue, noise: Noise, path = ''): NormalValue {
  if (isList(value)) {
    if (noise.paths.has(`${path}.length`)) return IGNORED_VALUE
    const kept = value.filter(
      (item) => typeof item === 'object' || !noise.shapes.has(shapeOf(`${path}[]`, canonicalJson(item))),
    )
    return sortValues(kept.map((item) => removeNoise(item, noise, `${path}[]`)))
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = joinFieldPath(path, name)
      return [name, noise.paths.has(at) ? IGNORED_VALUE : removeNoise(inner, noise, at)] as const
    })
    // A field that only some runs have is noise too.
    return Object.fromEntries(
      entries.filter(
        ([name, inner]) => inner !== IGNORED_VALUE || !noise.paths.has(joinFieldPath(path, name)),
      ),
    )
  }
  return noise.paths.has(path) && path !== '' ? IGNORED_VALUE : value
}

/** Returns the values at each path, and the length of each list. */
function collectFacts(value: NormalValue): ReadonlyMap<string, readonly string[]> {
  const facts = new Map<string, string[]>()
  const add = (path: string, text: string) => facts.set(path, [...(facts.get(path) ?? []), text])
  const visit = (inner: NormalValue, path: string): void => {
    if (isList(inner)) {
      add(`${path}.length`, String(inner.length))
      for (const item of inner) visit(item, `${path}[]`)
    } else if (isObject(inner)) {
      for (const [name, field] of Object.entries(inner)) visit(field, joinFieldPath(path, name))
    } else add(path, canonicalJson(inner))
  }
  visit(value, '')
  return facts
}

// Numbers of different sizes have the same shape.
function shapeOf(path: string, text: string): string {
  return `${path} ${text.replace(/\d+(?:[.,]\d+)?/g, '#')}`
}
