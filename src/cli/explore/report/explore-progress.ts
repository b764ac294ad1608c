import { createStatusLine } from '../../output/progress.ts'
import type { ExploreProgress } from '../explore.ts'
import { describeSchedule } from './fault-descriptions.ts'

/** The progress of an exploration on a terminal; elsewhere one line at the start. */
interface ExplorationDisplay {
  readonly show: (progress: ExploreProgress) => void
  readonly clear: () => void
}

/** Creates the display on a stream. */
export function createExplorationDisplay(stream: NodeJS.WriteStream): ExplorationDisplay {
  const line = createStatusLine(stream)
  return {
    show(progress) {
      line.show(stream.isTTY ? truncate(describeProgress(progress), stream.columns) : START)
    },
    clear: line.clear,
  }
}

const START = 'Running the scenario without faults, then with faults…'
const MIN_COLUMNS = 20

function describeProgress({ done, findings, current, remainingMs }: ExploreProgress): string {
  if (done === 0 && current.length === 0) return 'Running the scenario without faults…'
  const found = findings === 0 ? '' : `, ${findings} found`
  const left = remainingMs === null ? '' : `, ${Math.max(0, Math.ceil(remainingMs / 1000))} s left`
  return `${done} tried${found}${left}: ${describeSchedule(current)}`
}

// A longer line would wrap, and the next text could not replace it.
function truncate(text: string, columns: number): string {
  const width = Math.max(MIN_COLUMNS, columns - 1)
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
