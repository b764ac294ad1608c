import type { DatabaseShape } from './databases.ts'
import { type Bench, type Figure, type FigureRow, type FigureTarget, ratioRow, valueRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { startService } from './service-start.ts'

const MS_PER_SECOND = 1000

/** Time from the start of `paycli serve` to its first response after a clean stop or a kill, with a warm page cache. */
export const restart: Figure = async (bench) => {
  const small = { size: 100_000, name: '100 k', target: { atMost: 2 } }
  const rows = [await after(bench, 'snapshot', small), await after(bench, 'journal', small)]
  if (bench.isQuick) return rows
  const large = { size: 1_000_000, name: '1 M', target: { atMost: 8, later: 5 } }
  return [...rows, await after(bench, 'snapshot', large), await after(bench, 'journal', large)]
}

interface Restart {
  readonly size: number
  readonly name: string
  readonly target: FigureTarget
}

async function after(
  bench: Bench,
  shape: DatabaseShape,
  { size, name, target }: Restart,
): Promise<FigureRow> {
  const pairs = await interleave(bench.rounds, {
    paycli: async () => {
      const place = await bench.ground.seeded({ shape, size })
      const seconds = (await startService(place)).wallMs / MS_PER_SECOND
      await bench.ground.release(place)
      bench.note(`restart with ${name} from a ${shape}: ${seconds.toFixed(2)} s`)
      return seconds
    },
    baseline: async () => {
      const place = await bench.ground.seeded({ shape, size })
      const naive = await startRole('naive', {})
      const file = shape === 'journal' ? `${place.file}.journal-0` : place.file
      const seconds = await naive.call('parseSeconds', file)
      await naive.kill()
      await bench.ground.release(place)
      return seconds
    },
  })
  const when = shape === 'journal' ? 'after a kill, journal only' : 'after a stop'
  const what = `restart with ${name} objects and events ${when}, beside JSON.parse of each line`
  // With 1 M records, one JSON string would exceed the maximum length of V8, so the target is an absolute time.
  return (size > 100_000 ? valueRow : ratioRow)(what, pairs, { unit: 's', target })
}
