import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import {
  getEarliestRecoveryTime,
  type ResendSelection,
  type ResendSummary,
  resendEvents,
  resendMissed,
  resendSelected,
} from '../../src/cli/listen/resend-events.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { boolean, repeatable, string } from '../../src/cli/parse/flag-builders.ts'
import { type FlagValues, listFlagValues } from '../../src/cli/parse/params.ts'
import { parsePastTimestamp } from '../../src/cli/parse/timestamp.ts'
import { selectEventTypes } from '../../src/cli/request/event-selection.ts'
import type { Client } from '../../src/client/client.ts'

const NOTHING_MISSED =
  'Nothing was resent: no enabled endpoint missed such an event. Due attempts are sent automatically. See paycli webhooks deliveries list.'
const NOTHING_SELECTED = 'Nothing was resent: no event matches.'

export default class EventsResend extends BaseCommand {
  static override summary = 'Resend events to webhook endpoints'
  static override description =
    'Pass event ids, or select events with flags. --failed selects events of the last 14 days that an endpoint missed: all attempts so far failed or were skipped, and no attempt is due now. --since and --type alone select all events. Resent events keep their ids, and automatic retries continue as scheduled.'
  static override strict = false
  static override usage =
    'events resend [EVENT…] [--failed] [--since <time>] [--type <glob>] [--endpoint <we_…>]'
  static override flags = {
    failed: boolean({ description: 'Resend only events that endpoints missed.' }),
    since: string({
      description: 'Only events since this time, or within this duration, such as 10m.',
      helpValue: '<10m|time>',
    }),
    type: repeatable({
      description: 'Only events of this type or glob, such as invoice.*. Repeat for more types.',
      helpValue: '<glob>',
    }),
    endpoint: string({ description: 'Resend only to this endpoint.', helpValue: '<we_…>' }),
  }
  static override examples = toExamples([
    'evt_4bT9… evt_8kQ2…',
    '--failed',
    "--since 10m --type 'invoice.*' --endpoint we_4bT9…",
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const resent = await resend(this.client(), words, flags)
    const isMissed = flags['failed'] === true
    this.print(resent, () => resendNote(resent, isMissed, words))
    // Explain the number 0, which could be mistaken for a failure.
    if (resent.resent === 0) printNote(isMissed ? NOTHING_MISSED : NOTHING_SELECTED)
  }
}

async function resend(client: Client, words: readonly string[], flags: FlagValues): Promise<ResendSummary> {
  const endpoint = flags['endpoint'] === undefined ? undefined : String(flags['endpoint'])
  const isSelection = flags['failed'] === true || flags['since'] !== undefined || flags['type'] !== undefined
  if (words.length > 0 && isSelection) {
    throw new UsageError('flag_invalid', 'Give event ids or selection flags, not both.', {
      param: 'failed',
    })
  }
  if (words.length > 0) return resendEvents(client, words, endpoint)
  if (!isSelection) {
    throw new UsageError('argument_missing', 'The events to resend are missing.', {
      param: 'id',
      hint: 'Give event ids (evt_…), or --failed, --since 10m or --type invoice.*',
    })
  }
  const selection = await readSelection(client, flags, endpoint)
  return flags['failed'] === true ? resendMissed(client, selection) : resendSelected(client, selection)
}

async function readSelection(
  client: Client,
  flags: FlagValues,
  endpoint: string | undefined,
): Promise<ResendSelection> {
  const now = await client.now()
  const globs = listFlagValues(flags['type'])
  const earliest = flags['failed'] === true ? getEarliestRecoveryTime(now) : 0
  const since =
    flags['since'] === undefined ? earliest : parsePastTimestamp('since', String(flags['since']), now)
  return { since, types: globs.length === 0 ? [] : selectEventTypes(globs, 'type'), endpoint }
}

function resendNote(
  { resent, has_more }: ResendSummary,
  isRepeatable: boolean,
  events: readonly string[],
): string | null {
  if (resent === 0) return null
  const what = resent === 1 ? '1 delivery' : `${resent} deliveries`
  const rest = isRepeatable
    ? 'More events remain. Run the command again.'
    : 'Older events were omitted. Limit the selection with --since.'
  const filter = events.length === 1 ? ` --event ${events[0]}` : ''
  return `Requested ${what}.${has_more ? ` ${rest}` : ''} See the responses:\n  paycli webhooks deliveries list${filter}`
}
