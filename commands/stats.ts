import type { FlagInput } from '@oclif/core/interfaces'
import { statistics } from '../src/api/operations/statistics.ts'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { boolean, string } from '../src/cli/parse/flag-builders.ts'
import { createParamFlags } from '../src/cli/parse/flags.ts'
import { findFlagText, getParamsFromFlags } from '../src/cli/parse/params.ts'
import { formatHistory } from '../src/cli/statistics/history-view.ts'
import { formatStatistics } from '../src/cli/statistics/statistics-view.ts'

export default class Stats extends BaseCommand {
  static override summary = 'Show sums of payments, recurring revenue and retries'
  static override description =
    'Prints the number and sum of payments and refunds per day, week or month and currency. Adds the monthly recurring revenue, the subscriptions by status, and the results of retries. With --history, also prints for each interval the recurring revenue, new and ended subscriptions, the retention rate and the taxes. Without --clock, counts only objects without a test clock.'
  static override flags: FlagInput = {
    ...createParamFlags(statistics.retrieve.params, { omit: ['test_clock'] }),
    clock: string({
      description: 'Only objects on this test clock (default: only objects without a test clock).',
      helpValue: '<id>',
    }),
    plot: boolean({ description: 'Draw the payments as stacked bars instead of a table.' }),
  }
  static override examples = toExamples([
    '',
    '--interval month --plot',
    '--interval month --history',
    '--clock clock_4bT9… --start 2026-01-01 --end 2027-01-01 --interval week',
    "--field 'recurring_revenue[].amount'",
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const params = getParamsFromFlags(statistics.retrieve.params, flags, ['test_clock'])
    const clock = findFlagText(flags['clock'])
    const result = await this.client().call(statistics.retrieve, {
      ...params,
      ...(clock === undefined ? {} : { test_clock: clock }),
    })
    const hasPlot = flags['plot'] === true
    this.printView(result, (_, view) => {
      const { text, isWhole } = formatStatistics(result, view, hasPlot)
      if (result.history === null) return { text, isWhole }
      const history = formatHistory(result, view)
      return { text: `${text}\n${history.text}`, isWhole: isWhole && history.isWhole }
    })
  }
}
