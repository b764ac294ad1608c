import { canonicalJson } from '../../../domain/text/canonical-json.ts'
import type { RunRecord } from '../model/run-record.ts'
import type { DeliveryPoint } from '../model/schedule.ts'
import { type Noise, removeNoise } from './noise.ts'
import { normaliseObservation } from './normalise.ts'

/** The number of deliveries to which a change may belong: an app may respond first and work later. */
const LATE = 2

/**
 * Returns the deliveries of runs without faults that the app answered without any effect in each run: its observation did
 * not change, and it sent no request.
 */
export function findDeliveriesWithoutEffect(records: readonly RunRecord[], noise: Noise): DeliveryPoint[] {
  const observed = records.filter(({ states }) => states.length > 0)
  const [first = [], ...others] = observed.map((record) => withoutEffectIn(record, noise))
  const keys = others.map((points) => new Set(points.map(canonicalJson)))
  return first.filter((point) => keys.every((known) => known.has(canonicalJson(point))))
}

function withoutEffectIn(
  { states, deliveries, requests, outcome }: RunRecord,
  noise: Noise,
): DeliveryPoint[] {
  const toKey = (text: string) => canonicalJson(removeNoise(normaliseObservation(text).value, noise))
  const values = states.map(({ observation }) => toKey(observation))
  const points = states.map(({ after }) => canonicalJson(after))
  const isComplete = states.length > deliveries.length
  // The app still worked after its last delivery, so a change may belong to any delivery.
  if (isComplete && values.at(-1) !== toKey(outcome.observation ?? '')) return []
  // Deliveries after the last observation count as effective.
  const effective = new Set(isComplete ? [] : points.slice(-LATE))
  const markLast = (before: readonly string[]) => {
    for (const point of before.slice(-LATE)) effective.add(point)
  }
  for (const [index, value] of values.entries())
    if (index > 0 && value !== values[index - 1]) markLast(points.slice(0, index + 1))
  for (const { atMs } of requests)
    markLast(deliveries.filter((one) => one.atMs <= atMs).map(({ point }) => canonicalJson(point)))
  const observed = new Set(points)
  return deliveries
    .map(({ point }) => point)
    .filter((point) => observed.has(canonicalJson(point)) && !effective.has(canonicalJson(point)))
}
