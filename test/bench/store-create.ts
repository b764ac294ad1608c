import { join } from 'node:path'
import { type Bench, type Figure, type FigureRow, type FigureTarget, ratioRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave, type Measure } from './rounds.ts'
import type { WriterStore } from './writer.ts'

const WARM_SECONDS = 1
const AT_ONCE = 64

/** Durable creates at the store interface, beside SQLite and beside unmodified lowdb. */
export const storeCreate: Figure = async (bench) => [
  await beside(bench, 'sqlite', {
    what: 'durable create at the store ÷ node:sqlite WAL FULL, one transaction per create',
    target: { atLeast: 5 },
  }),
  await beside(bench, 'lowdb', {
    what: 'durable create at the store ÷ plain lowdb at 10 k objects and events',
    target: { atLeast: 100 },
  }),
]

async function beside(
  bench: Bench,
  way: WriterStore,
  { what, target }: { readonly what: string; readonly target: FigureTarget },
): Promise<FigureRow> {
  const pairs = await interleave(bench.rounds, {
    paycli: rateOf(bench, 'paycli', AT_ONCE),
    // Both write sequentially, so concurrency would not help them.
    baseline: rateOf(bench, way, 1),
  })
  return ratioRow(what, pairs, { unit: '/s', target })
}

function rateOf(bench: Bench, way: WriterStore, atOnce: number): Measure {
  return async () => {
    const place = await bench.ground.empty()
    const writer = await startRole('writer', { way, file: join(place.folder, `${way}.db`) })
    await writer.call('rate', atOnce, WARM_SECONDS)
    const rate = await writer.call('rate', atOnce, bench.seconds)
    await writer.kill()
    await bench.ground.release(place)
    bench.note(`${way}: ${Math.round(rate).toLocaleString('en')} durable creates/s`)
    return rate
  }
}
