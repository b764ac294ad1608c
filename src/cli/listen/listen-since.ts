import { events } from '../../api/operations/events.ts'
import { webhookEndpoints } from '../../api/operations/webhook-endpoints.ts'
import type { Client } from '../../client/client.ts'
import type { ListenTarget } from '../../client/listen-records.ts'
import { isEventWanted } from '../../domain/events.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parsePast } from '../parse/past-timestamp.ts'
import { eventsAfter, newestSequence } from '../request/newest-event.ts'
import { walk } from '../request/paginate.ts'

const LONGEST_RECOVERY_SECONDS = 14 * 86_400
const MOST_READ = 5000

/** What `--since` names: a place in the sequence, or what targets missed since they were last listened for. */
export type Since = { readonly after: number } | 'last'

/** Reads `--since`: `last`, an event to begin with, or a moment. */
export async function readSince(client: Client, text: string, hasTargets: boolean): Promise<Since> {
  if (text === 'last') {
    if (hasTargets) return 'last'
    throw new UsageError('flag_invalid', '--since last is what targets missed, and there is none.', {
      param: 'since',
      hint: 'Name one with --forward-to, or give a moment (10m) or an event (evt_…).',
    })
  }
  if (text.startsWith('evt_')) {
    return { after: (await client.call(events.retrieve, { id: text })).sequence - 1 }
  }
  const moment = parsePast('since', text, await client.now())
  const asked = { created: { gte: moment } }
  const { found } = await walk((cursor) => client.call(events.list, { ...asked, ...cursor }), MOST_READ)
  // Those on a test clock have a time of their own.
  const places = found.filter(({ test_clock }) => test_clock === null).map(({ sequence }) => sequence)
  return { after: places.length === 0 ? await newestSequence(client) : Math.min(...places) - 1 }
}

/** Has what `--since` names be sent again to targets, each what it wants, the oldest first. */
export async function resendSince(
  client: Client,
  since: Since,
  { targets, until }: { readonly targets: readonly ListenTarget[]; readonly until: number },
): Promise<void> {
  if (since === 'last') {
    // A moment less, for the time the call takes.
    const earliest = (await client.now()) - LONGEST_RECOVERY_SECONDS + 60
    for (const { webhook_endpoint: id } of targets) {
      while ((await client.call(webhookEndpoints.recover, { id, since: earliest })).has_more);
    }
    return
  }
  const happened = (await eventsAfter(client, since.after)).filter(({ sequence }) => sequence <= until)
  for (const { id, type } of happened) {
    for (const { webhook_endpoint, enabled_events } of targets)
      if (isEventWanted(type, enabled_events)) await client.call(events.resend, { id, webhook_endpoint })
  }
}
