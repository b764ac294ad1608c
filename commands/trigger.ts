import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { boolean, repeatable, string, textArg } from '../src/cli/parse/flag-builders.ts'
import { listFlagValues } from '../src/cli/parse/params.ts'
import { listTriggers, triggerEvent } from '../src/cli/trigger/trigger.ts'
import { parseOverrides } from '../src/cli/trigger/trigger-overrides.ts'
import { formatTriggerResult, formatTriggers } from '../src/cli/trigger/trigger-view.ts'

export default class Trigger extends BaseCommand {
  static override summary = 'Cause an event with real API requests'
  static override description =
    'Creates the required objects, such as a customer and a session, unless --id names an existing object. For events caused by the passage of time, advances a test clock. Prints the events.'
  static override args = {
    event: textArg({ description: 'Event type, such as invoice.payment_failed.' }),
  }
  static override flags = {
    list: boolean({ description: 'List all event types with their causes.' }),
    id: string({ description: 'Use this object instead of a new object.', helpValue: '<id>' }),
    override: repeatable({
      description: 'Change a parameter of a created object. Repeat for more parameters.',
      helpValue: '<object.path=value>',
    }),
    add: repeatable({
      description: 'Add a parameter to a request. Repeat for more parameters.',
      helpValue: '<object.path=value>',
    }),
    remove: repeatable({
      description: 'Omit a parameter from a request. Repeat for more parameters.',
      helpValue: '<object.path>',
    }),
  }
  static override examples = toExamples([
    'checkout_session.completed',
    'subscription.renewed --id sub_4bT9…',
    'payment.succeeded --override payment_session.amount=250 --add payment_session.metadata.order=42',
    '--list',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    if (flags['list'] === true) return this.printList()
    const [event] = words
    if (event === undefined) {
      throw new UsageError('argument_missing', 'The event type is missing.', {
        param: 'event',
        hint: 'For instance paycli trigger invoice.paid. List all types: paycli trigger --list',
      })
    }
    const overrides = parseOverrides({
      override: listFlagValues(flags['override']),
      add: listFlagValues(flags['add']),
      remove: listFlagValues(flags['remove']),
    })
    const id = flags['id'] === undefined ? undefined : String(flags['id'])
    const triggered = await triggerEvent(this.client(), event, { id, overrides })
    const object = triggered.events.find((one) => one.id === triggered.event)?.object
    this.printView(
      triggered,
      (_, view) => formatTriggerResult(triggered, view),
      () => `See the history: paycli timeline ${object}`,
    )
  }

  private printList(): void {
    const triggers = listTriggers()
    this.printView(triggers, (_, view) => formatTriggers(triggers, view))
  }
}
