import { join } from 'node:path'
import { encodeLine, encodeWrites } from '../../src/store/file/journal-lines.ts'
import { CREATE_CUSTOMER } from './create.ts'
import { type Figure, ratioRow } from './figure.ts'
import { newCustomerWithEvent } from './records.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { measure, type Server, startBareServer, startDaemonServer } from './servers.ts'

const WARM_SECONDS = 1.5
const NUMBERS_PER_ROUND = 1_000_000

/** The latency of a lone create, beside the sum of its parts: the request without a store, and one durable append. */
export const loneCreate: Figure = async (bench) => {
  const [place, beside] = [await bench.ground.empty(), await bench.ground.empty()]
  const [daemon, bare] = [await startDaemonServer(bench, place), await startBareServer()]
  const appender = await startRole('append', { file: join(beside.folder, 'appended') })
  const bytes = journalledBytes()
  for (const server of [daemon, bare]) await lone(server, 0, WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: (round) => lone(daemon, round + 1, bench.seconds),
    baseline: async (round) => {
      const without = await lone(bare, round + 1, bench.seconds)
      const append: number = await appender.call('median', bytes, bench.seconds)
      bench.note(
        `create without a store ${without.toFixed(3)} ms, append of ${bytes} bytes ${append.toFixed(3)} ms`,
      )
      return without + append
    },
  })
  bench.note(`lone create ${pairs.paycli.map((ms) => ms.toFixed(3)).join(', ')} ms`)
  await Promise.all([daemon.end(), bare.end(), appender.kill()])
  await Promise.all([place, beside].map(bench.ground.release))
  const what = 'latency of a lone create ÷ bare Koa and one synced append of the same size'
  return [ratioRow(what, pairs, { unit: 'ms', target: { atMost: 1.2 } })]
}

async function lone(server: Server, round: number, seconds: number): Promise<number> {
  const from = round * NUMBERS_PER_ROUND
  const numbers = { from, to: from + NUMBERS_PER_ROUND, isRandom: false }
  return (await measure(server, { asked: CREATE_CUSTOMER, connections: 1, numbers }, seconds)).medianMs
}

function journalledBytes(): number {
  const { record, event } = newCustomerWithEvent(0, (prefix) => prefix + '0'.repeat(24))
  const numbered = { ...event, sequence: 1000 }
  const operations = encodeWrites([{ put: record }, { put: numbered }])
  return encodeLine(operations, { transaction: 1000, batch: 1000, generation: 0 }).length
}
