/** The differences from the runs without faults. */
export type DifferenceKind = 'observation' | 'money' | 'unacknowledged' | 'forgery' | 'crash' | 'expectation'

/** A difference of an observation or of the money. */
export type DifferenceChange = 'more' | 'less' | 'changed'

/** A difference between a run with faults and the runs without, in words and as values. */
export interface RunDifference {
  readonly kind: DifferenceKind
  readonly change: DifferenceChange
  /** The path in the observation, the resource, the event type; empty for the whole. Equal in every run of a schedule. */
  readonly path: string
  /** JSON, or text; null where there is none. */
  readonly expected: string | null
  readonly actual: string | null
  readonly text: string
}

/** Returns what identifies a difference: two runs with equal keys ended alike. */
export function differenceKey({ kind, path, expected, actual }: RunDifference): string {
  return JSON.stringify([kind, path, expected, actual])
}

/** Returns whether two runs have a difference at the same place: three orders instead of one are the problem of two. */
export function isSameProblem(first: readonly RunDifference[], second: readonly RunDifference[]): boolean {
  const places = new Set(first.map(placeOf))
  return second.some((one) => places.has(placeOf(one)))
}

function placeOf({ kind, path, change }: RunDifference): string {
  return `${kind} ${change} ${path}`
}
