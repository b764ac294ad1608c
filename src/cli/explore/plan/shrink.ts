import { isDeepStrictEqual } from 'node:util'
import type { FaultSchedule, ScheduledFault } from '../model/schedule.ts'

/** Maximum number of tries. Each try is a run of the scenario. */
const MAX_TRIES = 24

type IsFailing = (smaller: FaultSchedule) => Promise<boolean>

/** Returns the smallest schedule that still fails: with fewer faults if possible, then with simpler options. */
export async function shrinkSchedule(schedule: FaultSchedule, isFailing: IsFailing): Promise<FaultSchedule> {
  let tries = 0
  const isStillFailing: IsFailing = async (smaller) => {
    tries += 1
    return tries <= MAX_TRIES && isFailing(smaller)
  }
  return simplifyOptions(await removeFaults(schedule, isStillFailing), isStillFailing)
}

/** Removes groups of faults without which the schedule still fails: first large groups, then single faults. */
async function removeFaults(schedule: FaultSchedule, isFailing: IsFailing): Promise<FaultSchedule> {
  // The first fault is at the point that most likely reveals a bug, so try this fault alone.
  if (schedule.length > 2 && (await isFailing(schedule.slice(0, 1)))) return schedule.slice(0, 1)
  let smallest = schedule
  for (let size = schedule.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; start < smallest.length; ) {
      const rest = smallest.toSpliced(start, size)
      if (rest.length > 0 && (await isFailing(rest))) smallest = rest
      else start += size
    }
  }
  return smallest
}

async function simplifyOptions(schedule: FaultSchedule, isFailing: IsFailing): Promise<FaultSchedule> {
  let simplest = schedule
  for (const [index, fault] of schedule.entries()) {
    for (const simpler of simplerFaults(fault)) {
      const candidate = simplest.with(index, simpler)
      if (isDeepStrictEqual(simpler, fault) || !(await isFailing(candidate))) continue
      simplest = candidate
      break
    }
  }
  return simplest
}

/**
 * Returns simpler faults for the same point, simplest first. A lost or rejected attempt is also a late delivery, so
 * `hold` may suffice.
 */
function simplerFaults({ fault, at, options }: ScheduledFault): ScheduledFault[] {
  switch (fault) {
    case 'duplicate':
      return [{ fault, at, options: { copies: 2, order: 'sequential' } }]
    case 'error':
      return [{ fault, at, options: { http_status: 500 } }]
    case 'truncate_response':
      return [{ fault: 'drop_response', at, options: {} }]
    case 'restart':
      return at.kind === 'delivery' && options.moment === 'before' ? lateDeliveries(at) : []
    case 'drop_attempt':
    case 'bad_signature':
    case 'old_timestamp':
      return lateDeliveries(at)
    default:
      return []
  }
}

function lateDeliveries(at: ScheduledFault['at']): ScheduledFault[] {
  return [
    { fault: 'hold', at, options: {} },
    { fault: 'drop_attempt', at, options: {} },
  ]
}
