import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { printNote, writeTextToStdout } from '../../src/cli/output/output.ts'
import { replaceProgramName } from '../../src/cli/output/program-name.ts'
import { createStatusLine } from '../../src/cli/output/progress.ts'
import { boolean, string, textArg } from '../../src/cli/parse/flag-builders.ts'
import { clockArg } from '../../src/cli/parse/id-arg.ts'
import { parseAdvanceArguments } from '../../src/cli/parse/timestamp.ts'
import { readNewestSequence } from '../../src/cli/request/recent-events.ts'
import { INTERRUPT_EXIT_CODE } from '../../src/cli/serve/interrupts.ts'
import {
  computeAdvanceRange,
  formatAdvanceProgress,
  readNewestEventTime,
  waitWithProgress,
} from '../../src/cli/sessions/advance-progress.ts'
import { formatAdvanceSummary, listEventsOnClock } from '../../src/cli/sessions/advance-summary.ts'
import { chooseClock } from '../../src/cli/sessions/clock-choice.ts'

const { advance } = testClocks

export default class ClockAdvance extends BaseCommand {
  static override summary = 'Advance a test clock and run its due jobs'
  static override description =
    'Waits until the advance is complete, then prints the number of events per type. Months are calendar months: 31 January plus 1mo is the last day of February.'
  static override args = {
    clock: clockArg,
    span: textArg({ description: 'Duration: 12h, 3d, 2w, 1mo or 1y.' }),
    unit: textArg({ description: 'Unit of a duration such as 1 month.', hidden: true }),
  }
  static override flags = {
    to: string({ description: 'Target time, instead of a duration.', helpValue: '<unix|iso date>' }),
    progress: boolean({
      description: 'Show the progress on stderr (default: on a terminal).',
      allowNo: true,
    }),
  }
  static override examples = toExamples([
    '1mo',
    'clock_4bT9… 3d',
    'clock_4bT9… --to 2026-12-31T12:00:00Z --json',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const { clock: named, target } = parseAdvanceArguments(words, flags['to'])
    const client = this.client()
    const chosen = await chooseClock(client, named, (clock) =>
      [
        'paycli clock advance',
        clock,
        ...words.slice(1),
        ...(flags['to'] === undefined ? [] : [`--to ${flags['to']}`]),
      ].join(' '),
    )
    const { id } = chosen.clock
    const range = computeAdvanceRange(chosen.clock, target)
    const sequence = await readNewestSequence(client, { test_clock: id })
    const work = this.client({ timeoutMs: Infinity }).call(advance, { id, ...target })
    const isShown = flags['progress'] ?? process.stderr.isTTY === true
    const readProgress = async () =>
      formatAdvanceProgress(range, (await readNewestEventTime(client, id)) ?? range.from)
    const line = createStatusLine(process.stderr)
    const clock = await withInterruptNote(id, isShown ? waitWithProgress(work, readProgress, line) : work)
    // JSON is printed before the events are listed, because the clock has advanced even if listing them fails.
    if (!this.isTextOutput()) this.print(clock)
    const newEvents = await listEventsOnClock(client, id, sequence)
    const summary = formatAdvanceSummary(chosen, { from: range.from, to: clock.frozen_time }, newEvents)
    if (this.isTextOutput()) writeTextToStdout(replaceProgramName(`${summary}\n`))
    else printNote(summary)
  }
}

// ^C ends only the command. The server continues the advance.
async function withInterruptNote<T>(clockId: string, work: Promise<T>): Promise<T> {
  const exit = () => {
    printNote(
      `\nThe server continues the advance. See the progress of the clock: paycli clock retrieve ${clockId}`,
    )
    process.exit(INTERRUPT_EXIT_CODE)
  }
  process.once('SIGINT', exit)
  try {
    return await work
  } finally {
    process.off('SIGINT', exit)
  }
}
