import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import {
  IGNORED_VALUE,
  isList,
  isObject,
  joinFieldPath,
  type NormalisedValue,
  type NormalObservation,
  sortValues,
} from './normalise.ts'

/** The values that differ between runs without faults, and are therefore never compared. */
export interface UnstableValues {
  /** Paths of values; a path that ends in `.length` is the length of a list. */
  readonly paths: ReadonlySet<string>
  /** Paths and shapes of values in lists, such as log lines with a duration. */
  readonly shapes: ReadonlySet<string>
  readonly hasReferences: boolean
}

/** Returns the values that differ between observations of runs without faults. */
export function findUnstableValues(observations: readonly NormalObservation[]): UnstableValues {
  const shapes = new Set<string>()
  const paths = new Set<string>()
  const [before = new Map<string, string[]>(), ...others] = observations.map(({ value }) =>
    collectFacts(value),
  )
  for (const now of others) {
    for (const path of new Set([...before.keys(), ...now.keys()])) {
      const [a, b] = [before.get(path) ?? [], now.get(path) ?? []]
      if (toCanonicalJson([...a].sort()) === toCanonicalJson([...b].sort())) continue
      if (!path.endsWith('[]')) paths.add(path)
      else for (const text of exclusiveOr(a, b)) shapes.add(shapeOf(path, text))
    }
  }
  // A list whose entries differ only in unstable values has a stable length.
  const references = new Set(observations.map((one) => toCanonicalJson(one.references)))
  const learnt = { paths, shapes, hasReferences: references.size > 1 }
  return withoutExplainedLengths(learnt, observations)
}

function exclusiveOr(a: readonly string[], b: readonly string[]): string[] {
  return [...a.filter((one) => !b.includes(one)), ...b.filter((one) => !a.includes(one))]
}

function withoutExplainedLengths(
  unstable: UnstableValues,
  observations: readonly NormalObservation[],
): UnstableValues {
  const explained = [...unstable.paths].filter((path) => {
    if (!path.endsWith('.length')) return false
    const rest = { ...unstable, paths: new Set([...unstable.paths].filter((one) => one !== path)) }
    const lengths = observations.map(
      ({ value }) => collectFacts(removeUnstableValues(value, rest)).get(path) ?? [],
    )
    return new Set(lengths.map(toCanonicalJson)).size === 1
  })
  return { ...unstable, paths: new Set([...unstable.paths].filter((path) => !explained.includes(path))) }
}

/** Returns a value without its unstable parts. */
export function removeUnstableValues(
  value: NormalisedValue,
  unstable: UnstableValues,
  path = '',
): NormalisedValue {
  if (isList(value)) {
    if (unstable.paths.has(`${path}.length`)) return IGNORED_VALUE
    const kept = value.filter(
      (item) => typeof item === 'object' || !unstable.shapes.has(shapeOf(`${path}[]`, toCanonicalJson(item))),
    )
    return sortValues(kept.map((item) => removeUnstableValues(item, unstable, `${path}[]`)))
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = joinFieldPath(path, name)
      return [
        name,
        unstable.paths.has(at) ? IGNORED_VALUE : removeUnstableValues(inner, unstable, at),
      ] as const
    })
    // A field that only some runs have is unstable too.
    return Object.fromEntries(
      entries.filter(
        ([name, inner]) => inner !== IGNORED_VALUE || !unstable.paths.has(joinFieldPath(path, name)),
      ),
    )
  }
  return unstable.paths.has(path) && path !== '' ? IGNORED_VALUE : value
}

/** Returns the values at each path, and the length of each list. */
function collectFacts(value: NormalisedValue): ReadonlyMap<string, readonly string[]> {
  const facts = new Map<string, string[]>()
  const add = (path: string, text: string) => facts.set(path, [...(facts.get(path) ?? []), text])
  const visit = (inner: NormalisedValue, path: string): void => {
    if (isList(inner)) {
      add(`${path}.length`, String(inner.length))
      for (const item of inner) visit(item, `${path}[]`)
    } else if (isObject(inner)) {
      for (const [name, field] of Object.entries(inner)) visit(field, joinFieldPath(path, name))
    } else add(path, toCanonicalJson(inner))
  }
  visit(value, '')
  return facts
}

// Numbers with different digits have the same shape.
function shapeOf(path: string, text: string): string {
  return `${path} ${text.replace(/\d+(?:[.,]\d+)?/g, '#')}`
}
