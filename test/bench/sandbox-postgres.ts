import { startPostgres } from '../support/postgres.ts'
import { type Bench, type FigureRow, ratioRow } from './figure.ts'
import { openMachineLoad } from './machine-load.ts'
import { createOn, startDaemons } from './postgres-creates.ts'
import { interleave } from './rounds.ts'
import { type NewSandbox, newSandboxes } from './sandbox-daemon.ts'
import type { DaemonServer } from './servers.ts'

const DAEMONS = 3
const SANDBOXES = 8
const CONNECTIONS = 48
const WARM_SECONDS = 1.5

/**
 * Returns the rows of creates in sandboxes of three daemons on one PostgreSQL server: throughput, and latency while
 * another sandbox is saturated.
 */
export async function postgresRows(bench: Bench): Promise<FigureRow[]> {
  const server = await startPostgres({ isDurable: true })
  const daemons: DaemonServer[] = []
  try {
    daemons.push(...(await startDaemons(bench, server.url, DAEMONS)))
    const [first] = daemons
    if (first === undefined) throw new Error('no daemon')
    const sandboxes = await newSandboxes(first, SANDBOXES)
    return [await latencyRow(bench, daemons, sandboxes), await throughputRow(bench, daemons, sandboxes)]
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.end()))
    await server.stop()
  }
}

async function latencyRow(
  bench: Bench,
  [quiet, busy]: readonly DaemonServer[],
  [own, saturated]: readonly NewSandbox[],
): Promise<FigureRow> {
  if (!quiet || !busy || !own || !saturated) throw new Error('two daemons with two sandboxes are needed')
  const lone = async (seconds: number) => {
    const [result] = await createOn([quiet], [own], { connections: 1, seconds })
    return result?.medianMs ?? Number.NaN
  }
  await lone(WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: async () => {
      const load = { connections: CONNECTIONS, seconds: bench.seconds }
      const [medianMs] = await Promise.all([lone(bench.seconds), createOn([busy], [saturated], load)])
      bench.note(`create beside a saturated sandbox: ${medianMs.toFixed(2)} ms`)
      return medianMs
    },
    baseline: async () => {
      const medianMs = await lone(bench.seconds)
      bench.note(`create alone: ${medianMs.toFixed(2)} ms`)
      return medianMs
    },
  })
  const what = 'PostgreSQL: p50 of a create while another sandbox is saturated ÷ alone'
  return ratioRow(what, pairs, { unit: 'ms', target: { atMost: 1.3 } })
}

async function throughputRow(
  bench: Bench,
  daemons: readonly DaemonServer[],
  sandboxes: readonly NewSandbox[],
): Promise<FigureRow> {
  const total = async (used: readonly NewSandbox[]) => {
    const load = { connections: CONNECTIONS / DAEMONS, seconds: bench.seconds }
    const endLoad = openMachineLoad()
    const rates = await createOn(daemons, used, load)
    const rate = rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
    bench.note(`${used.length} sandboxes: ${Math.round(rate)}/s, ${endLoad()}`)
    return rate
  }
  await total(sandboxes)
  const pairs = await interleave(bench.rounds, {
    paycli: () => total(sandboxes),
    baseline: () => total(sandboxes.slice(0, 1)),
  })
  const what = `PostgreSQL: creates of ${DAEMONS} daemons in ${SANDBOXES} sandboxes ÷ in one`
  return ratioRow(what, pairs, { unit: '/s', target: { atLeast: 1.8 } })
}
