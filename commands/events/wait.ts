import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { createInvalidFlagError } from '../../src/cli/errors/usage-error.ts'
import { parseWhere, waitForEventWithin } from '../../src/cli/listen/event-condition.ts'
import { parseDurationSeconds } from '../../src/cli/parse/duration.ts'
import { boolean, repeatable, string, textArg } from '../../src/cli/parse/flag-builders.ts'
import { findFlagText, listFlagValues } from '../../src/cli/parse/params.ts'
import { selectEventTypes } from '../../src/cli/request/event-selection.ts'
import { readNewestSequence } from '../../src/cli/request/recent-events.ts'

export default class EventsWait extends BaseCommand {
  static override summary = 'Wait for an event and print it'
  static override description =
    'Exits with 7 if the event does not occur in time. With --delivered or --endpoint, the error contains the response of each endpoint.'
  static override args = {
    type: textArg({ description: 'Event type, or glob such as invoice.*.', required: true }),
  }
  static override flags = {
    where: repeatable({
      description: 'Only an event with this value at this path. Repeat for more conditions.',
      helpValue: '<path=value>',
    }),
    delivered: boolean({ description: 'Also wait until every endpoint has accepted the event.' }),
    endpoint: string({
      description: 'Also wait until this endpoint has accepted the event.',
      helpValue: '<we_…>',
      exclusive: ['delivered'],
    }),
    after: string({
      description:
        'Only events after this sequence number (default: the newest event). Use 0 to include all events.',
      helpValue: '<sequence>',
    }),
    timeout: string({ description: 'Maximum time to wait.', helpValue: '<30s>', default: '10s' }),
  }
  static override examples = toExamples([
    'checkout_session.completed',
    'invoice.paid --where data.object.customer=cus_4bT9… --timeout 1m',
    "'payment_session.*' --after 0 --delivered --field id",
    'invoice.paid --endpoint we_4bT9… --timeout 30s',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const type = words[0] ?? ''
    const timeout = String(flags['timeout'])
    const seconds = parseDurationSeconds('timeout', timeout)
    const client = this.client()
    const condition = {
      types: selectEventTypes([type], 'type'),
      where: parseWhere(listFlagValues(flags['where'])),
      isDelivered: flags['delivered'] === true,
      endpoint: findFlagText(flags['endpoint']) ?? null,
      after:
        flags['after'] === undefined
          ? await readNewestSequence(client)
          : parseSequence(String(flags['after'])),
    }
    this.print(
      await waitForEventWithin({ client, connection: this.connection() }, condition, {
        glob: type,
        timeout,
        seconds,
      }),
    )
  }
}

function parseSequence(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const hint = 'Give an integer, such as the sequence of an event.'
  throw createInvalidFlagError('after', text, 'a sequence number', hint)
}
