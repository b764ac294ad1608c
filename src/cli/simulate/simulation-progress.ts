import type { Client } from '../../client/client.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { createStatusLine } from '../output/progress.ts'
import { readNewestSequence } from '../request/recent-events.ts'
import { type DeliveryBacklogLimiter, MAX_FAILED_ATTEMPTS } from './delivery-backlog-limiter.ts'

/** Shows each simulated day on one line of a terminal; elsewhere one line per month. */
export function createSimulationDisplay(client: Client, stream: NodeJS.WriteStream) {
  const line = createStatusLine(stream)
  let shown = ''
  return {
    /** Shows the simulated time, which is given in Unix seconds. */
    async show(time: number, limiter: DeliveryBacklogLimiter | null): Promise<void> {
      const date = toIsoTimestamp(time)?.slice(0, 'yyyy-mm-dd'.length) ?? ''
      const period = stream.isTTY ? date : date.slice(0, 'yyyy-mm'.length)
      if (period === shown) return
      shown = period
      const count = await limiter?.countFailed()
      const failed =
        count === undefined
          ? ''
          : `, failed deliveries: ${count}${count < MAX_FAILED_ATTEMPTS ? '' : ' or more'}`
      const events = (await readNewestSequence(client)).toLocaleString('en')
      line.show(`${date}  events: ${events}${failed}`)
    },
    clear: line.clear,
  }
}
