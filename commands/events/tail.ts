import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { readGoal, readListening, streamFlags } from '../../src/cli/listen/listen-flags.ts'
import { createTailPrinter } from '../../src/cli/listen/listen-output.ts'
import { runListener } from '../../src/cli/listen/listen-runner.ts'
import { readSince } from '../../src/cli/listen/listen-since.ts'
import { formOf } from '../../src/cli/output/render-response.ts'
import { string } from '../../src/cli/parse/options.ts'
import { onInterrupt } from '../../src/cli/serve/interrupts.ts'
import { systemClock } from '../../src/daemon/clock.ts'

export default class EventsTail extends BaseCommand {
  static override summary = 'Prints events as they happen: a line each on a terminal, else NDJSON.'
  static override flags = {
    since: string({ description: 'Begin earlier: at a moment or an event.', helpValue: '<10m|evt_…>' }),
    ...streamFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> -e 'invoice.*' --since 10m",
    '<%= config.bin %> <%= command.id %> --filter data.object.currency=eur --field id --exit-after 1',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const listening = readListening(flags)
    const client = this.client()
    const since = flags['since'] === undefined ? null : await readSince(client, String(flags['since']), false)
    const running = runListener({
      ...{ ...this.connection(), client, listening, since },
      goal: readGoal(flags),
      isFailureFatal: false,
      onRecord: createTailPrinter(formOf(flags), systemClock.nowMs),
    })
    onInterrupt(running.stop, running.whenTerminated)
    process.exitCode = await running.ended
  }
}
