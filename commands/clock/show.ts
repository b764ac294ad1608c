import { testClocks } from '../../src/api/test-clocks.ts'
import { progressText, reachedOn } from '../../src/cli/advance-progress.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { chooseClock } from '../../src/cli/clock-choice.ts'
import { clockArg } from '../../src/cli/id-arg.ts'
import { printNote, renderText } from '../../src/cli/output.ts'

export default class ClockShow extends BaseCommand {
  static override summary = testClocks.retrieve.summary
  static override aliases = ['clock:retrieve', 'clock:get']
  static override args = { id: clockArg }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> clock_4bT9…',
    '<%= config.bin %> <%= command.id %> clock_4bT9… --field frozen_time',
  ]

  override async run(): Promise<void> {
    const { id } = await this.given()
    const client = this.client()
    const { clock, isOnly } = await chooseClock(client, id === '' ? undefined : id)
    const { advancing } = clock.status_details
    const way = advancing && { from: clock.frozen_time, to: advancing.target_frozen_time }
    const progress = way && progressText(way, (await reachedOn(client, clock.id)) ?? way.from)
    this.print(clock, () => progress)
    if (isOnly) printNote(renderText(`${clock.id} is the only clock.`))
  }
}
