import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import {
  type Choice,
  type Resent,
  resendChosen,
  resendEvents,
  resendMissed,
} from '../../src/cli/listen/resending.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { repeatable } from '../../src/cli/parse/flags.ts'
import { boolean, string } from '../../src/cli/parse/options.ts'
import { type FlagValues, textsOf } from '../../src/cli/parse/params.ts'
import { parsePast } from '../../src/cli/parse/past-timestamp.ts'
import { selectEvents } from '../../src/cli/request/event-selection.ts'
import type { Client } from '../../src/client/client.ts'

const NOTHING_MISSED =
  'Nothing was resent: no enabled endpoint missed such an event. What is due now is sent without it; see paycli webhooks deliveries list.'
const NOTHING_CHOSEN = 'Nothing was resent: there is no such event.'
const LONGEST_RECOVERY_SECONDS = 14 * 86_400

export default class EventsResend extends BaseCommand {
  static override summary = 'Sends events to their webhook endpoints again, with the ids they had.'
  static override description =
    'Names the events, or chooses them: --failed takes what endpoints missed (all attempts so far failed or were skipped, and none is due right now) of the last 14 days, --since and --type take all there are. Retries go on as planned until the event is taken.'
  static override strict = false
  static override usage =
    'events resend [EVENT…] [--failed] [--since <moment>] [--type <glob>] [--endpoint <we_…>]'
  static override flags = {
    failed: boolean({ description: 'All that endpoints missed.' }),
    since: string({
      description: 'Only events since then: 10m for so long ago, or a moment.',
      helpValue: '<10m|moment>',
    }),
    type: repeatable('Only events of this type or glob, such as invoice.*. Repeat for more.', '<glob>'),
    endpoint: string({ description: 'Only to this endpoint.', helpValue: '<we_…>' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> evt_4bT9… evt_8kQ2…',
    '<%= config.bin %> <%= command.id %> --failed',
    "<%= config.bin %> <%= command.id %> --since 10m --type 'invoice.*' --endpoint we_4bT9…",
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const resent = await resend(this.client(), words, flags)
    const isMissed = flags['failed'] === true
    this.print(resent, () => remarkOn(resent, isMissed))
    // Who reads only the number could take it for a failure.
    if (resent.resent === 0) printNote(isMissed ? NOTHING_MISSED : NOTHING_CHOSEN)
  }
}

async function resend(client: Client, words: readonly string[], flags: FlagValues): Promise<Resent> {
  const endpoint = flags['endpoint'] === undefined ? undefined : String(flags['endpoint'])
  const isChoice = flags['failed'] === true || flags['since'] !== undefined || flags['type'] !== undefined
  if (words.length > 0 && isChoice) {
    throw new UsageError('flag_invalid', 'Name events or choose them with flags, not both.', {
      param: 'failed',
    })
  }
  if (words.length > 0) return resendEvents(client, words, endpoint)
  if (!isChoice) {
    throw new UsageError('argument_missing', 'Which events to resend is missing.', {
      param: 'id',
      hint: 'Name events (evt_…), or give --failed, --since 10m or --type invoice.*',
    })
  }
  const choice = await choiceOf(client, flags, endpoint)
  return flags['failed'] === true ? resendMissed(client, choice) : resendChosen(client, choice)
}

async function choiceOf(client: Client, flags: FlagValues, endpoint: string | undefined): Promise<Choice> {
  const now = await client.now()
  const globs = textsOf(flags['type'])
  // A moment more, for the time the call takes.
  const earliest = flags['failed'] === true ? now - LONGEST_RECOVERY_SECONDS + 60 : 0
  const since = flags['since'] === undefined ? earliest : parsePast('since', String(flags['since']), now)
  return { since, types: globs.length === 0 ? [] : selectEvents(globs, 'type'), endpoint }
}

function remarkOn({ resent, has_more }: Resent, isRepeatable: boolean): string | null {
  if (resent === 0) return null
  const what = resent === 1 ? '1 delivery' : `${resent} deliveries`
  const rest = isRepeatable
    ? 'There are more: run it again.'
    : 'Older ones were left out: narrow it with --since.'
  return `${what} asked for; see paycli webhooks deliveries list.${has_more ? ` ${rest}` : ''}`
}
