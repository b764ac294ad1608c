/** The numbers of events and requests that have arrived up to a time. */
export interface ArrivalSample {
  readonly atMs: number
  readonly events: number
  readonly requests: number
}

/** Returns the arrivals per second between the first and the last sample. */
export function getArrivalRate(samples: readonly ArrivalSample[], name: 'events' | 'requests'): number {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return 0
  return ((last[name] - first[name]) * 1000) / (last.atMs - first.atMs)
}
