import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { clockArg } from '../../src/cli/parse/id-arg.ts'
import { formatAdvanceProgress, readNewestEventTime } from '../../src/cli/sessions/advance-progress.ts'
import { chooseClock } from '../../src/cli/sessions/clock-choice.ts'

export default class ClockRetrieve extends BaseCommand {
  static override summary = 'Retrieve a test clock'
  static override aliases = ['clock:show', 'clock:get']
  static override args = { id: clockArg }
  static override examples = toExamples(['', 'clock_4bT9…', 'clock_4bT9… --field frozen_time'])

  override async run(): Promise<void> {
    const { id } = await this.readInput()
    const client = this.client()
    const { clock, isOnly } = await chooseClock(client, id === '' ? undefined : id)
    const { advancing } = clock.status_details
    const range = advancing && { from: clock.frozen_time, to: advancing.target_frozen_time }
    const progress =
      range && formatAdvanceProgress(range, (await readNewestEventTime(client, clock.id)) ?? range.from)
    this.print(clock, () => progress)
    if (isOnly) printNote(`${clock.id} is the only clock.`)
  }
}
