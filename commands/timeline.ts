import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { printNote } from '../src/cli/output/output.ts'
import { idArg } from '../src/cli/parse/id-arg.ts'
import { toTimelineEntry } from '../src/cli/timeline/timeline-entries.ts'
import { readTimeline } from '../src/cli/timeline/timeline-events.ts'
import { formatTimeline } from '../src/cli/timeline/timeline-view.ts'

export default class Timeline extends BaseCommand {
  static override summary = 'Show the history of an object, oldest first'
  static override description =
    'Prints the events of an object, such as a customer or an invoice, and of the objects that belong to it. Times are in UTC, on the clock of the object. Each event has its changed fields and the API request that caused it, if any.'
  static override args = idArg('sub_4bT9…')
  static override examples = toExamples([
    'sub_4bT9…',
    'coupons/SPRING-25',
    'clock_4bT9… --json',
    "cus_4bT9… --field '[].type'",
  ])

  override async run(): Promise<void> {
    const { id } = await this.readInput()
    const { events, isWhole } = await readTimeline(this.client(), id)
    this.printView(events.map(toTimelineEntry), (_, view) => formatTimeline(events, view))
    if (!isWhole) printNote('The oldest events were omitted, because there are too many.')
  }
}
