import { events } from '../../api/operations/events.ts'
import { webhookEndpoints } from '../../api/operations/webhook-endpoints.ts'
import type { Client } from '../../client/client.ts'
import type { ListenTarget } from '../../client/listen-records.ts'
import { isEventEnabled } from '../../domain/events/events.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parsePastTimestamp } from '../parse/timestamp.ts'
import { listObjects } from '../request/paginate.ts'
import { listEventsAfter, readNewestSequence } from '../request/recent-events.ts'
import { getEarliestRecoveryTime } from './resend-events.ts'

const MAX_EVENTS = 5000

/** The start position of a listener: after a sequence number, or with the events that its targets missed. */
export type ListenStart = { readonly after: number } | 'last'

/** Parses `--since`: `last`, an event id, or a time. */
export async function readListenStart(
  client: Client,
  text: string,
  hasTargets: boolean,
): Promise<ListenStart> {
  if (text === 'last') {
    if (hasTargets) return 'last'
    throw new UsageError('flag_invalid', '--since last requires a target.', {
      param: 'since',
      hint: 'Add --forward-to, or give a time (10m) or an event (evt_…).',
    })
  }
  if (text.startsWith('evt_')) {
    return { after: (await client.call(events.retrieve, { id: text })).sequence - 1 }
  }
  const filter = { created: { gte: parsePastTimestamp('since', text, await client.now()) } }
  const { found } = await listObjects(client, events.list, filter, MAX_EVENTS)
  // The times of events on test clocks cannot be compared with --since.
  const sequences = found.filter(({ test_clock }) => test_clock === null).map(({ sequence }) => sequence)
  return { after: sequences.length === 0 ? await readNewestSequence(client) : Math.min(...sequences) - 1 }
}

/** Resends past events, up to the sequence number `until`, to the targets whose filters match, oldest first. */
export async function resendFromStart(
  client: Client,
  start: ListenStart,
  targets: readonly ListenTarget[],
  until: number,
): Promise<void> {
  if (start === 'last') {
    const since = getEarliestRecoveryTime(await client.now())
    for (const { webhook_endpoint: id } of targets) {
      while ((await client.call(webhookEndpoints.recover, { id, since })).has_more);
    }
    return
  }
  const past = (await listEventsAfter(client, start.after)).filter(({ sequence }) => sequence <= until)
  for (const { id, type } of past) {
    for (const { webhook_endpoint, enabled_events } of targets)
      if (isEventEnabled(type, enabled_events)) await client.call(events.resend, { id, webhook_endpoint })
  }
}
