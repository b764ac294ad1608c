import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { CREATE_CUSTOMER } from './create.ts'
import type { Stall } from './daemon.ts'
import type { DatabaseFolder } from './databases.ts'
import { type Bench, type Figure, type FigureRow, type FigureTarget, valueRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { type DaemonServer, startDaemonServer } from './servers.ts'

const CREATES_PER_SECOND = 2000
const CONNECTIONS = 10
const LIMIT_SECONDS = 240
const POLL_MS = 5
/** Start and end are observed in the folder by polling, so both are a little late. */
const LEEWAY_MS = 50
/** Warm-up: the first requests run before V8 has compiled the code. */
const WARM_MS = 2000

/** The longest time without a response while a snapshot was written under a steady load of creates. */
export const compaction: Figure = async (bench) => {
  const rows = [await at(bench, { size: 100_000, name: '100 k', target: { atMost: 25 } })]
  if (bench.isQuick) return rows
  return [...rows, await at(bench, { size: 1_000_000, name: '1 M', target: { atMost: 25 } })]
}

async function at(
  bench: Bench,
  { size, name, target }: { readonly size: number; readonly name: string; readonly target: FigureTarget },
): Promise<FigureRow> {
  const pairs = await interleave(bench.rounds, {
    paycli: async () => {
      const place = await bench.ground.seeded({ shape: 'almost due', size })
      const server = await startDaemonServer(bench, place)
      const longest = await longestStall(bench, server, place)
      await server.end()
      await bench.ground.release(place)
      return longest
    },
    baseline: async () => {
      const naive = await startRole('naive', {})
      const ms = await naive.call('stringifyMs', size)
      await naive.kill()
      return ms ?? Number.NaN
    },
  })
  const what = `longest stall of the event loop while compacting ${name}, beside one JSON.stringify`
  return valueRow(what, pairs, { unit: 'ms', target })
}

async function longestStall(bench: Bench, server: DaemonServer, place: DatabaseFolder): Promise<number> {
  const load = await startRole('load', {})
  await server.child.call('watchStalls')
  const startedAt = Date.now()
  const running = load.call('run', {
    port: server.port,
    asked: { ...CREATE_CUSTOMER, key: server.key },
    connections: CONNECTIONS,
    seconds: LIMIT_SECONDS,
    numbers: { from: 0, to: CREATES_PER_SECOND * LIMIT_SECONDS, isRandom: false },
    perSecond: CREATES_PER_SECOND,
  })
  const [began, ended] = await Promise.race([compacted(place), running.then(() => fail())])
  await load.call('stop')
  const { slowestMs } = await running
  await load.kill()
  const stalls = await server.child.call('stalls')
  const pauses = await server.child.call('pauses')
  const during = longest(stalls, began - LEEWAY_MS, ended + LEEWAY_MS)
  bench.note(
    [
      `compacted in ${((ended - began) / 1000).toFixed(1)} s`,
      `longest stall ${during.toFixed(1)} ms (before it ${longest(stalls, startedAt + WARM_MS, began - LEEWAY_MS).toFixed(1)} ms)`,
      `by processor time ${longestCpu(stalls, began - LEEWAY_MS, ended + LEEWAY_MS).toFixed(1)} ms`,
      `longest pause for garbage ${longest(pauses, began - LEEWAY_MS, ended + LEEWAY_MS).toFixed(1)} ms`,
      `slowest answer ${slowestMs.toFixed(1)} ms`,
    ].join(', '),
  )
  return during
}

/** When the first compaction began and ended: a new journal file appears, then the old one disappears. */
async function compacted({ folder }: DatabaseFolder): Promise<readonly [began: number, ended: number]> {
  const before = await journalsIn(folder)
  let now = before
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await sleep(POLL_MS)
      now = await journalsIn(folder)
    }
    return Date.now()
  }
  const began = await until(() => now.some((name) => !before.includes(name)))
  const ended = await until(() => !before.some((name) => now.includes(name)))
  return [began, ended]
}

async function journalsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.includes('.journal-'))
}

function longest(stalls: readonly Stall[], from: number, to: number): number {
  return Math.max(0, ...stalls.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms))
}

function longestCpu(stalls: readonly Stall[], from: number, to: number): number {
  return Math.max(0, ...stalls.filter(({ at }) => at >= from && at <= to).map(({ cpuMs }) => cpuMs))
}

function fail(): never {
  throw new Error(`no compaction within ${LIMIT_SECONDS} seconds of load`)
}
