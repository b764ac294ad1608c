import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { printNote, renderText } from '../../src/cli/output/output.ts'
import { createStatusLine } from '../../src/cli/output/progress.ts'
import { clockArg } from '../../src/cli/parse/id-arg.ts'
import { boolean, string, word } from '../../src/cli/parse/options.ts'
import { parseAdvance } from '../../src/cli/parse/spans.ts'
import { progressText, reachedOn, showWhile, wayOf } from '../../src/cli/sessions/advance-progress.ts'
import { advanceSummary, eventsSince, newestSequence } from '../../src/cli/sessions/advance-summary.ts'
import { chooseClock } from '../../src/cli/sessions/clock-choice.ts'

const { advance } = testClocks
const EXIT_AFTER_INTERRUPT = 130

export default class ClockAdvance extends BaseCommand {
  static override summary = advance.summary
  static override description =
    'Waits for as long as it takes, and tells at the end what happened. A month is one of the calendar: 31 January and 1mo is the last day of February.'
  static override args = {
    clock: clockArg,
    span: word({ description: 'How far: 12h, 3d, 2w, 1mo or 1y.' }),
  }
  static override flags = {
    to: string({ description: 'Where to, in place of how far.', helpValue: '<unix|iso date>' }),
    progress: boolean({
      description: 'Show on stderr how far time has come; on a terminal unless --no-progress is given.',
      allowNo: true,
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1mo',
    '<%= config.bin %> <%= command.id %> clock_4bT9… 3d',
    '<%= config.bin %> <%= command.id %> clock_4bT9… --to 2026-12-31T12:00:00Z --json',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const { clock: named, destination } = parseAdvance(words, flags['to'])
    const client = this.client()
    const chosen = await chooseClock(client, named)
    const { id } = chosen.clock
    const way = wayOf(chosen.clock, destination)
    const sequence = await newestSequence(client, id)
    const work = this.client({ timeoutMs: Infinity }).call(advance, { id, ...destination })
    const isShown = flags['progress'] ?? process.stderr.isTTY === true
    const look = async () => progressText(way, (await reachedOn(client, id)) ?? way.from)
    const line = createStatusLine(process.stderr)
    const clock = await tellingOfInterrupts(id, isShown ? showWhile(work, { look, line }) : work)
    this.print(clock)
    const happened = await eventsSince(client, id, sequence)
    printNote(renderText(advanceSummary(chosen, { from: way.from, to: clock.frozen_time }, happened)))
  }
}

// ^C ends only the command: whoever pressed it should know that time goes on.
async function tellingOfInterrupts<T>(clockId: string, work: Promise<T>): Promise<T> {
  const leave = () => {
    printNote(`\nThe clock goes on by itself. See how far it is: paycli clock show ${clockId}`)
    process.exit(EXIT_AFTER_INTERRUPT)
  }
  process.once('SIGINT', leave)
  try {
    return await work
  } finally {
    process.off('SIGINT', leave)
  }
}
