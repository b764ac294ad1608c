import type { GradeFinding } from '../../presentation/grade-report.ts'

/** The response times of single requests that other processes did not disturb, in milliseconds. */
export interface SingleTimes {
  readonly delivery: number
  /** The response time at a path that the app does not have, which grows only with the load of the machine. */
  readonly unknownPath: number
}

/** The minimum growth of the response time with each load: in milliseconds, and as a part of the growth with the first. */
const MIN_GROWN_MS = 0.5
const MIN_PROPORTION = 0.67
/** Shorter response times are not compared, in milliseconds. */
const MIN_COMPARED_MS = 0.1

/**
 * Returns whether the response times after each load grow in proportion to the number of events. A busy machine delays
 * responses once, and also those at an unknown path.
 */
export function isGrowing(first: SingleTimes, later: readonly SingleTimes[]): boolean {
  const [second = first] = later
  const minGrownMs = Math.max(MIN_GROWN_MS, MIN_PROPORTION * (second.delivery - first.delivery))
  return later.every((one, index) => {
    const loads = index + 1
    const isSlower = ratioOf(one) > (loads + 1) * ratioOf(first)
    return isSlower && one.delivery - first.delivery >= loads * minGrownMs
  })
}

function ratioOf({ delivery, unknownPath }: SingleTimes): number {
  return Math.max(delivery, MIN_COMPARED_MS) / Math.max(unknownPath, MIN_COMPARED_MS)
}

/** Creates the finding of response times before, between and after loads of `sent` events. */
export function createGrowthFinding(times: readonly SingleTimes[], sent: number): GradeFinding {
  const format = (field: keyof SingleTimes) => times.map((one) => one[field].toFixed(1)).join(' → ')
  return {
    ...{ id: 'growing', severity: 'medium' },
    problem: 'The response time grows with each event that the app has received.',
    evidence: [
      `single deliveries before, during and after ${sent} events: ${format('delivery')} ms`,
      `requests to a path that the app does not have: ${format('unknownPath')} ms`,
    ],
    fix: 'Use a database index to find an event by its id. Do not read or write all earlier events for each event.',
  }
}
