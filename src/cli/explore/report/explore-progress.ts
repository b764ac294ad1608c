import { truncateWithEllipsis } from '../../../domain/text/display-width.ts'
import { toSingleLine } from '../../output/format-values.ts'
import { createStatusLine } from '../../output/progress.ts'
import { wrapText } from '../../output/text-layout.ts'
import type { ExploreProgress, NewDifference } from '../explore.ts'
import { describeSchedule } from './fault-descriptions.ts'

/** Creates a display that shows the progress on a terminal, and a single line elsewhere. */
export function createExplorationDisplay(stream: NodeJS.WriteStream) {
  const line = createStatusLine(stream)
  return {
    show(progress: ExploreProgress) {
      // A longer line would wrap, and the next text could not replace the line.
      const width = Math.max(MIN_COLUMNS, stream.columns - 1)
      line.show(stream.isTTY ? truncateWithEllipsis(describeProgress(progress), width) : START)
    },
    /** Prints a difference before the reduction of its schedule, which takes time. */
    announce({ schedule, text, elapsedMs }: NewDifference) {
      const time = `${(elapsedMs / 1000).toFixed(1)} s`
      const difference = `${describeSchedule(schedule)}: ${toSingleLine(text)}`
      const message = `Difference after ${time}, to be reduced and confirmed: ${difference}`
      if (stream.isTTY) line.clear()
      stream.write(`${stream.isTTY ? wrapText(message, stream.columns).join('\n') : message}\n`)
    },
    clear: line.clear,
  }
}

const START = 'Running the scenario without faults, then with faults…'
const MIN_COLUMNS = 20

function describeProgress({ done, findings, current, remainingMs }: ExploreProgress): string {
  if (done === 0 && current.length === 0) return 'Running the scenario without faults…'
  const found = findings === 0 ? '' : `, ${findings} found`
  const left = remainingMs === Infinity ? '' : `, ${Math.max(0, Math.ceil(remainingMs / 1000))} s left`
  return `${done} tried${found}${left}: ${describeSchedule(current)}`
}
