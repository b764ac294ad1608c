import type { ListenRecord, ListenTarget } from '../../client/listen-records.ts'
import { type Event, isEventWanted } from '../../domain/events.ts'

/** When a listener has seen enough; without either it never has. */
export interface Goal {
  readonly exitAfter: number | null
  /** Types of which one must come. */
  readonly until: readonly string[] | null
}

const UNFINISHED_REMEMBERED = 10_000

/** Watches what a listener tells; an event counts once every target that wants it was tried. Calls `onReached` once. */
export function createGoalWatch(goal: Goal, onReached: () => void): (record: ListenRecord) => void {
  let targets: readonly ListenTarget[] = []
  let count = 0
  const waiting = new Map<string, { readonly type: string; readonly open: Set<string> }>()

  function finish(type: string): void {
    count += 1
    const isReached = count === goal.exitAfter || goal.until?.includes(type) === true
    if (isReached) onReached()
  }

  function begin({ id, type }: Event): void {
    const open = targets.filter(({ enabled_events }) => isEventWanted(type, enabled_events))
    if (open.length === 0) finish(type)
    else waiting.set(id, { type, open: new Set(open.map((target) => target.webhook_endpoint)) })
    const [eldest] = waiting.keys()
    if (waiting.size > UNFINISHED_REMEMBERED && eldest !== undefined) waiting.delete(eldest)
  }

  return (record) => {
    if (record.type === 'state') targets = record.targets
    if (record.type === 'event') begin(record.event)
    if (record.type !== 'delivery') return
    const event = waiting.get(record.event)
    event?.open.delete(record.webhook_endpoint)
    if (event === undefined || event.open.size > 0) return
    waiting.delete(record.event)
    finish(event.type)
  }
}
