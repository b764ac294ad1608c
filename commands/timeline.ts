import { BaseCommand } from '../src/cli/command/base-command.ts'
import { printNote, terminalWidth } from '../src/cli/output/output.ts'
import { idArg } from '../src/cli/parse/id-arg.ts'
import { entryOf } from '../src/cli/timeline/timeline-entries.ts'
import { readTimeline } from '../src/cli/timeline/timeline-events.ts'
import { viewTimeline } from '../src/cli/timeline/timeline-view.ts'

export default class Timeline extends BaseCommand {
  static override summary = 'Tells the history of an object and of what belongs to it, oldest first.'
  static override description =
    'Of a customer, a session, a subscription, an invoice, a payment, a card, a refund or a clock, on its own time, in UTC. Each event says what it changed, and the call that caused it where one did.'
  static override args = idArg('sub_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9…',
    '<%= config.bin %> <%= command.id %> clock_4bT9… --json',
    "<%= config.bin %> <%= command.id %> cus_4bT9… --field '[].type'",
  ]

  override async run(): Promise<void> {
    const { id } = await this.given()
    const { events, isWhole } = await readTimeline(this.client(), id)
    this.printView(events.map(entryOf), (style) => viewTimeline(events, { style, width: terminalWidth() }))
    if (!isWhole) printNote('There is more than this: the oldest was left out.')
  }
}
