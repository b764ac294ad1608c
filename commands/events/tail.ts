import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { readExitConditions, readListenSettings, streamFlags } from '../../src/cli/listen/listen-flags.ts'
import { createEventPrinter } from '../../src/cli/listen/listen-printer.ts'
import { runListener } from '../../src/cli/listen/listen-runner.ts'
import { readListenStart } from '../../src/cli/listen/listen-start.ts'
import { getOutputSettings } from '../../src/cli/output/render-response.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'
import { onInterrupt } from '../../src/cli/serve/interrupts.ts'
import { systemClock } from '../../src/daemon/system/clock.ts'

export default class EventsTail extends BaseCommand {
  static override summary = 'Print events as they occur'
  static override description = 'Prints a line per event on a terminal, else NDJSON. Stop with ^C.'
  static override flags = {
    since: string({
      description: 'Include past events since this time or event.',
      helpValue: '<10m|evt_…>',
    }),
    ...streamFlags,
  }
  static override examples = toExamples([
    '',
    "-e 'invoice.*' --since 10m",
    '--filter data.object.currency=eur --field id --exit-after 1',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const settings = readListenSettings(flags)
    const client = this.client()
    const since =
      flags['since'] === undefined ? null : await readListenStart(client, String(flags['since']), false)
    const running = runListener({
      ...{ ...this.connection(), client, settings, since },
      goal: readExitConditions(flags),
      isFailureFatal: false,
      onRecord: createEventPrinter(getOutputSettings(flags), systemClock.nowMs),
    })
    onInterrupt(running.stop, running.terminationCode)
    process.exitCode = await running.ended
  }
}
