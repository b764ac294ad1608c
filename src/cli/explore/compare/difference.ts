/** The category of a difference from the runs without faults. */
export type DifferenceCategory =
  | 'observation'
  | 'money'
  | 'unacknowledged'
  | 'forgery'
  | 'crash'
  | 'expectation'
  | 'scenario'

/** A difference between a run with faults and the runs without faults, in words and as values. */
export interface RunDifference {
  readonly kind: DifferenceCategory
  /** The direction of the change in the observation or in the monetary objects. */
  readonly change: 'more' | 'less' | 'changed'
  /** The path in the observation, the resource or the event type; empty for other categories. */
  readonly path: string
  /** The expected value as JSON or plain text; null if the difference has no values. */
  readonly expected: string | null
  readonly actual: string | null
  readonly text: string
}

/** Returns a key for a difference, which is equal in runs with the same difference. */
export function getDifferenceKey({ kind, path, expected, actual }: RunDifference): string {
  return JSON.stringify([kind, path, expected, actual])
}

/** Returns whether two runs share a difference of the same kind, direction and path, such as extra orders. */
export function hasSharedDifference(
  first: readonly RunDifference[],
  second: readonly RunDifference[],
): boolean {
  const places = new Set(placesOf(first))
  return placesOf(second).some((place) => places.has(place))
}

// Every bug can make the scenario fail, so the failure alone does not show that two bugs are the same.
function placesOf(differences: readonly RunDifference[]): readonly string[] {
  const own = differences.filter(({ kind }) => kind !== 'scenario')
  return (own.length > 0 ? own : differences).map(placeOf)
}

function placeOf({ kind, path, change }: RunDifference): string {
  return `${kind} ${change} ${path}`
}
