import { readFile } from 'node:fs/promises'
import { customers } from '../../src/api/operations/customers.ts'
import { type Bench, type FigureRow, valueRow } from './figure.ts'
import { interleave } from './rounds.ts'
import { newSandbox } from './sandbox-daemon.ts'
import { startDaemonServer } from './servers.ts'

const US_PER_MS = 1000
const MAX_SLICE_MS = 25
const SIZES = [
  { size: 1000, atMost: 5 },
  { size: 100_000, atMost: 250 },
] as const

/** Processor time of a fork, and its longest slice, beside parsing the same records as JSON. */
export async function forkRows(bench: Bench): Promise<FigureRow[]> {
  const rows: FigureRow[] = []
  for (const { size, atMost } of SIZES) {
    const place = await bench.ground.seeded({ shape: 'snapshot', size })
    const server = await startDaemonServer(bench, place)
    await server.child.call('watchStalls')
    const slices: number[] = []
    const fork = async () => {
      const { length: earlier } = await server.child.call('stalls')
      const before = await server.cpuMicroseconds()
      const { client } = await newSandbox(server, { from: 'default', storage: 'memory' })
      // A copy may do a part of its work when it is first used.
      const { data } = await client.call(customers.list, { limit: 1 })
      const ms = ((await server.cpuMicroseconds()) - before) / US_PER_MS
      const stalls = (await server.child.call('stalls')).slice(earlier)
      slices.push(Math.max(0, ...stalls.map(({ cpuMs }) => cpuMs)))
      if (data.length !== 1) throw new Error('the fork is empty')
      bench.note(`fork of ${size}: ${ms.toFixed(1)} ms, longest slice ${slices.at(-1)?.toFixed(1)} ms`)
      return ms
    }
    // The first one also compiles the code.
    await fork()
    slices.length = 0
    const text = await readFile(place.file, 'utf8')
    const pairs = await interleave(bench.rounds, { paycli: fork, baseline: async () => parseMs(text) })
    await server.end()
    await bench.ground.release(place)
    const what = `fork of ${size.toLocaleString('en')} objects and as many events, with its first list`
    rows.push(
      valueRow(`${what}: event-loop time, beside JSON.parse`, pairs, { unit: 'ms', target: { atMost } }),
      valueRow(
        `${what}: longest slice`,
        { paycli: slices, baseline: pairs.baseline },
        { unit: 'ms', target: { atMost: MAX_SLICE_MS } },
      ),
    )
  }
  return rows
}

function parseMs(text: string): number {
  const { user, system } = process.threadCpuUsage()
  JSON.parse(text)
  const after = process.threadCpuUsage()
  return (after.user + after.system - user - system) / US_PER_MS
}
