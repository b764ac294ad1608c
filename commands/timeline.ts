import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { printNote } from '../src/cli/output/output.ts'
import { createIdArg } from '../src/cli/parse/id-arg.ts'
import { toTimelineEntry } from '../src/cli/timeline/timeline-entries.ts'
import { readDeliveryResults, readTimeline } from '../src/cli/timeline/timeline-events.ts'
import { formatTimeline } from '../src/cli/timeline/timeline-view.ts'

export default class Timeline extends BaseCommand {
  static override summary = 'Show the history of an object, oldest first'
  static override description =
    'Prints the events of an object, such as a customer or an invoice, and of the objects that belong to it. Times are in UTC, on the clock of the object. Each event has its changed fields and the causing API request. On a terminal, each event also has its id and the result of its deliveries. A customer is also found by email.'
  static override args = createIdArg('sub_4bT9…')
  static override examples = toExamples([
    'sub_4bT9…',
    'ada@example.com',
    'coupons/SPRING-25',
    'clock_4bT9… --json',
    "cus_4bT9… --field '[].type'",
  ])

  override async run(): Promise<void> {
    const { id } = await this.readInput()
    const client = this.client()
    const { events, isWhole } = await readTimeline(client, id)
    const deliveries = this.isTextOutput() ? await readDeliveryResults(client, events) : undefined
    this.printView(events.map(toTimelineEntry), (_, view) =>
      formatTimeline(events, view, deliveries ?? undefined),
    )
    if (deliveries === null && events.length > 0)
      printNote('Results of deliveries were omitted: there are too many, or the API key cannot read them.')
    if (!isWhole) printNote('The oldest events were omitted, because there are too many.')
  }
}
