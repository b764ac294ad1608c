import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'

/** A request with the events that it caused, or events that no request caused. */
export interface ActivityGroup {
  readonly key: string
  /** The id of the request; null if a hosted page or the scheduler caused the events. */
  readonly requestId: string | null
  /** The log of the request; null without a request, and until the log arrives. */
  readonly request: RequestLog | null
  /** The events, sorted by sequence number. */
  readonly events: readonly Event[]
}

/** A group that is not yet complete. */
interface GroupDraft extends ActivityGroup {
  readonly events: Event[]
  /** The sequence number of the first event. */
  readonly sequence: number
  /** Real time in Unix seconds. */
  readonly time: number
}

/**
 * Groups events by the request that caused them, and all other events by their time and test clock. Both arguments are
 * sorted oldest first; the groups are sorted newest first.
 */
export function groupActivity(
  events: readonly Event[],
  requests: readonly RequestLog[],
): readonly ActivityGroup[] {
  const drafts = draftGroups(events)
  const byRequest = new Map(drafts.map((draft) => [draft.requestId, draft]))
  const logged = new Set(requests.map(({ id }) => id))
  const unlogged = drafts.filter(({ requestId }) => requestId === null || !logged.has(requestId))
  const groups: ActivityGroup[] = []
  let next = 0
  const addWhile = (isEarlier: (draft: GroupDraft) => boolean) => {
    for (let draft = unlogged[next]; draft !== undefined && isEarlier(draft); draft = unlogged[next]) {
      groups.push(draft)
      next += 1
    }
  }
  for (const request of requests) {
    const own = byRequest.get(request.id)
    if (own === undefined) addWhile(({ time }) => time < request.created)
    else addWhile(({ sequence }) => sequence < own.sequence)
    groups.push({ key: request.id, requestId: request.id, request, events: own?.events ?? [] })
  }
  addWhile(() => true)
  return groups.reverse()
}

function draftGroups(events: readonly Event[]): readonly GroupDraft[] {
  const byRequest = new Map<string, GroupDraft>()
  const drafts: GroupDraft[] = []
  let last: GroupDraft | undefined
  // Events on a test clock have the time of that clock, so they get the real time of the previous event.
  let time = 0
  for (const event of events) {
    if (event.test_clock === null) time = event.created
    const requestId = event.request?.id ?? null
    const known = requestId === null ? last : byRequest.get(requestId)
    if (known !== undefined && (requestId !== null || isSameRun(known, event))) {
      known.events.push(event)
      continue
    }
    const draft = {
      ...{ key: requestId ?? event.id, requestId, request: null, events: [event] },
      ...{ sequence: event.sequence, time },
    }
    drafts.push(draft)
    if (requestId === null) last = draft
    else byRequest.set(requestId, draft)
  }
  return drafts
}

function isSameRun({ events }: GroupDraft, event: Event): boolean {
  const last = events.at(-1)
  return (
    last?.created === event.created &&
    last.test_clock === event.test_clock &&
    last.sequence === event.sequence - 1
  )
}
