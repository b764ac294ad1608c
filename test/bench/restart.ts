import { startChild } from './child.ts'
import { type Bench, type Figure, type Row, type Target, valueRow } from './figure.ts'
import type { Shape } from './ground.ts'
import { interleave } from './rounds.ts'
import { startDaemonServer } from './servers.ts'

const MS_PER_SECOND = 1000

/** From the start of the process until it answers, after an orderly stop and after a kill; the files are in the page cache. */
export const restart: Figure = async (bench) => {
  const small = { size: 100_000, name: '100 k', target: { atMost: 1 } }
  const rows = [await after(bench, 'snapshot', small), await after(bench, 'journal', small)]
  if (bench.isQuick) return rows
  const large = { size: 1_000_000, name: '1 M', target: { atMost: 10, later: 5 } }
  return [...rows, await after(bench, 'snapshot', large), await after(bench, 'journal', large)]
}

interface Restart {
  readonly size: number
  readonly name: string
  readonly target: Target
}

async function after(bench: Bench, shape: Shape, { size, name, target }: Restart): Promise<Row> {
  const rounds = Math.min(bench.rounds, 3)
  const pairs = await interleave(rounds, {
    paycli: async () => {
      const place = await bench.ground.seeded({ shape, size })
      const server = await startDaemonServer(bench, place)
      const seconds = (await server.child.call('readyAfterMs')) / MS_PER_SECOND
      await server.end()
      await bench.ground.release(place)
      bench.note(`restart with ${name} from a ${shape}: ${seconds.toFixed(2)} s`)
      return seconds
    },
    baseline: async () => {
      const place = await bench.ground.seeded({ shape, size })
      const naive = await startChild('naive', {})
      const file = shape === 'journal' ? `${place.file}.journal-0` : place.file
      const seconds = await naive.call('parseSeconds', file)
      await naive.kill()
      await bench.ground.release(place)
      return seconds
    },
  })
  const when = shape === 'journal' ? 'after a kill, journal only' : 'after a stop'
  const what = `restart with ${name} objects and events ${when}, beside JSON.parse of each line`
  return valueRow(what, pairs, { unit: 's', target })
}
