import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
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

/** Removes faults by delta debugging: tries one subset, or all faults except one subset, with ever smaller subsets. */
async function removeFaults(schedule: FaultSchedule, isFailing: IsFailing): Promise<FaultSchedule> {
  // The first fault is at the point that most likely reveals a bug, so try this fault alone.
  if (schedule.length > 2 && (await isFailing(schedule.slice(0, 1)))) return schedule.slice(0, 1)
  let smallest = schedule
  let count = 2
  while (smallest.length > 1) {
    const parts = split(smallest, count)
    const part = await findFailing(parts, isFailing)
    const rests =
      count > 2 ? parts.map((dropped) => smallest.filter((fault) => !dropped.includes(fault))) : []
    const found = part ?? (await findFailing(rests, isFailing))
    if (found !== null) {
      count = part === null ? Math.max(2, count - 1) : 2
      smallest = found
    } else if (count >= smallest.length) break
    else count = Math.min(smallest.length, count * 2)
  }
  return smallest
}

async function simplifyOptions(schedule: FaultSchedule, isFailing: IsFailing): Promise<FaultSchedule> {
  let simplest = schedule
  for (const [index, fault] of schedule.entries()) {
    const others = simplerFaults(fault).filter((one) => toCanonicalJson(one) !== toCanonicalJson(fault))
    const found = await findFailing(
      others.map((other) => simplest.with(index, other)),
      isFailing,
    )
    simplest = found ?? simplest
  }
  return simplest
}

async function findFailing(
  candidates: readonly FaultSchedule[],
  isFailing: IsFailing,
): Promise<FaultSchedule | null> {
  for (const candidate of candidates) if (await isFailing(candidate)) return candidate
  return null
}

function split(schedule: FaultSchedule, count: number): FaultSchedule[] {
  return Array.from({ length: count }, (_, index) =>
    schedule.slice(
      Math.floor((index * schedule.length) / count),
      Math.floor(((index + 1) * schedule.length) / count),
    ),
  )
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
