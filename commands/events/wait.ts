import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { Unmet } from '../../src/cli/errors/expectation-error.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { parseWhere, waitForEvent } from '../../src/cli/listen/event-wait.ts'
import { repeatable } from '../../src/cli/parse/flags.ts'
import { boolean, string, word } from '../../src/cli/parse/options.ts'
import { textsOf } from '../../src/cli/parse/params.ts'
import { parseSeconds } from '../../src/cli/parse/past-timestamp.ts'
import { selectEvents } from '../../src/cli/request/event-selection.ts'
import { newestSequence } from '../../src/cli/request/newest-event.ts'
import { withinMs } from '../../src/client/pause.ts'

export default class EventsWait extends BaseCommand {
  static override summary = 'Waits for an event and prints it; exits with 7 when it does not come in time.'
  static override args = {
    type: word({ description: 'A type, or a glob such as invoice.*.', required: true }),
  }
  static override flags = {
    where: repeatable('Only one with this value at this path. Repeat for more.', '<path=value>'),
    delivered: boolean({ description: 'Wait until every endpoint has taken it, too.' }),
    after: string({
      description: 'Count events after this place in the sequence; those after now unless given, 0 is all.',
      helpValue: '<sequence>',
    }),
    timeout: string({ description: 'How long to wait.', helpValue: '<30s>', default: '10s' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> checkout_session.completed',
    '<%= config.bin %> <%= command.id %> invoice.paid --where data.object.customer=cus_4bT9… --timeout 1m',
    "<%= config.bin %> <%= command.id %> 'payment_session.*' --after 0 --delivered --field id",
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const type = words[0] ?? ''
    const timeout = String(flags['timeout'])
    const seconds = parseSeconds('timeout', timeout)
    const client = this.client()
    const awaited = {
      types: selectEvents([type], 'type'),
      where: parseWhere(textsOf(flags['where'])),
      isDelivered: flags['delivered'] === true,
      after: flags['after'] === undefined ? await newestSequence(client) : sequenceOf(String(flags['after'])),
    }
    const event = await withinMs(seconds * 1000, (signal) => waitForEvent(client, awaited, signal))
    if (event !== null) return this.print(event)
    const what = awaited.isDelivered ? 'came and was delivered' : 'came'
    throw new Unmet('timeout', `No ${type} ${what} within ${timeout}.`)
  }
}

function sequenceOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError('flag_invalid', `--after takes a place in the sequence, not '${text}'.`, {
    param: 'after',
    hint: 'Give a whole number, such as the sequence of an event.',
  })
}
