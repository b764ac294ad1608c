import { join } from 'node:path'
import { startChild } from './child.ts'
import { type Bench, type Figure, type Row, ratioRow, type Target } from './figure.ts'
import { interleave, type Measure } from './rounds.ts'
import type { Way } from './writer.ts'

const WARM_SECONDS = 1
const AT_ONCE = 64

/** Durable creates at the port of the store, beside SQLite and beside lowdb as it comes. */
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
  way: Way,
  { what, target }: { readonly what: string; readonly target: Target },
): Promise<Row> {
  const pairs = await interleave(bench.rounds, {
    paycli: rateOf(bench, 'paycli', AT_ONCE),
    // Both write one create after the other, whoever asks.
    baseline: rateOf(bench, way, 1),
  })
  return ratioRow(what, pairs, { unit: '/s', target })
}

function rateOf(bench: Bench, way: Way, atOnce: number): Measure {
  return async () => {
    const place = await bench.ground.empty()
    const writer = await startChild('writer', { way, file: join(place.folder, `${way}.db`) })
    await writer.call('rate', atOnce, WARM_SECONDS)
    const rate = await writer.call('rate', atOnce, bench.seconds)
    await writer.kill()
    await bench.ground.release(place)
    bench.note(`${way}: ${Math.round(rate).toLocaleString('en')} durable creates/s`)
    return rate
  }
}
