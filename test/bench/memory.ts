import { stat } from 'node:fs/promises'
import type { DatabaseFolder } from './databases.ts'
import { type Bench, type Figure, type FigureRow, valueRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave, type Measure } from './rounds.ts'

const FLAGS = ['--expose-gc'] as const
const BYTES_PER_KB = 1000

/** Memory per object with its event, compared with the size of both on disk. */
export const memory: Figure = async (bench) => {
  const rows = [
    await row(bench, 'memory per object and event after a restart at 100 k', loaded(bench, 100_000)),
    await row(bench, 'memory per object and event just created, 100 k', created(bench, 100_000)),
  ]
  if (bench.isQuick) return rows
  const atMillion = loaded(bench, 1_000_000)
  return [...rows, await row(bench, 'memory per object and event after a restart at 1 M', atMillion)]
}

async function row(bench: Bench, what: string, measured: Measure): Promise<FigureRow> {
  const size = 100_000
  const pairs = await interleave(bench.rounds, {
    paycli: measured,
    baseline: async () => {
      const place = await bench.ground.seeded({ shape: 'snapshot', size })
      const text = (await stat(place.file)).size / size / BYTES_PER_KB
      await bench.ground.release(place)
      return text
    },
  })
  bench.note(`${what}: ${pairs.paycli.map((one) => one.toFixed(2)).join(', ')} kB`)
  return valueRow(`${what}, beside its text`, pairs, { unit: 'kB', target: { atMost: 1 } })
}

function loaded(bench: Bench, size: number): Measure {
  return async () => {
    const place = await bench.ground.seeded({ shape: 'snapshot', size })
    return perPair(bench, place, { size, isAdded: false })
  }
}

function created(bench: Bench, size: number): Measure {
  return async () => perPair(bench, await bench.ground.empty(), { size, isAdded: true })
}

async function perPair(
  bench: Bench,
  place: DatabaseFolder,
  { size, isAdded }: { readonly size: number; readonly isAdded: boolean },
): Promise<number> {
  const nothing = await bench.ground.empty()
  const empty = await startRole('held', { file: nothing.file }, { flags: FLAGS })
  const full = await startRole('held', { file: place.file }, { flags: FLAGS })
  if (isAdded) await full.call('add', size)
  const bytes = (await full.call('memory')) - (await empty.call('memory'))
  await Promise.all([empty.kill(), full.kill()])
  await Promise.all([nothing, place].map(bench.ground.release))
  return bytes / size / BYTES_PER_KB
}
