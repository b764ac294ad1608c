import { CREATE_CUSTOMER } from './create.ts'
import { type Bench, type FigureRow, ratioRow, valueRow } from './figure.ts'
import { interleave, mapMeasurements } from './rounds.ts'
import { newSandboxes, withMemoryDaemon } from './sandbox-daemon.ts'
import { type MeasuredLoad, measure, type Server, type Traffic } from './servers.ts'

const CREATE_SANDBOX = { method: 'POST', path: '/v1/sandboxes', body: '{}' } as const
const WARM_SECONDS = 1
const NUMBERS = 1_000_000
const BYTES_PER_MB = 1_000_000
const IDLE_SANDBOXES = 1000

/** Creates of empty memory sandboxes beside creates of customers, and the memory of idle sandboxes. */
export async function creationRows(bench: Bench): Promise<FigureRow[]> {
  const rows: FigureRow[] = []
  for (const connections of [1, 8]) {
    const pairs = await interleave(bench.rounds, {
      paycli: () => creates(bench, CREATE_SANDBOX, connections),
      baseline: () => creates(bench, CREATE_CUSTOMER, connections),
    })
    const [what, select] =
      connections === 1
        ? (['p50 of creating a sandbox ÷ a customer', ({ medianMs }: MeasuredLoad) => medianMs] as const)
        : (['sandboxes created, beside customers', ({ perSecond }: MeasuredLoad) => perSecond] as const)
    const name = `${what}, in memory, ${connections} connection${connections === 1 ? '' : 's'}`
    const measured = mapMeasurements(pairs, select)
    rows.push(
      connections === 1
        ? ratioRow(name, measured, { unit: 'ms', target: { atMost: 3 } })
        : valueRow(name, measured, { unit: '/s', target: { atLeast: 500 } }),
    )
  }
  return rows
}

function creates(bench: Bench, asked: Traffic['asked'], connections: number): Promise<MeasuredLoad> {
  return withMemoryDaemon(bench, async (server: Server) => {
    const traffic = (from: number): Traffic => ({
      ...{ asked, connections },
      numbers: { from, to: from + NUMBERS, isRandom: false },
    })
    await measure(server, traffic(0), WARM_SECONDS)
    const measured = await measure(server, traffic(NUMBERS), bench.seconds)
    bench.note(
      `${asked.path} at ${connections}: ${measured.medianMs.toFixed(3)} ms, ${Math.round(measured.perSecond)}/s`,
    )
    return measured
  })
}

/** The memory of a thousand idle sandboxes, beside that of one server. */
export async function idleRow(bench: Bench): Promise<FigureRow> {
  const pairs = await interleave(bench.isQuick ? 1 : 3, {
    paycli: () =>
      withMemoryDaemon(bench, async (server) => {
        const before = await server.child.call('residentBytes')
        await newSandboxes(server, IDLE_SANDBOXES)
        return ((await server.child.call('residentBytes')) - before) / BYTES_PER_MB
      }),
    baseline: () =>
      withMemoryDaemon(bench, async (server) => (await server.child.call('residentBytes')) / BYTES_PER_MB),
  })
  const what = `${IDLE_SANDBOXES} idle sandboxes in memory, beside one server without any`
  return valueRow(what, pairs, { unit: 'MB', target: { atMost: 100 } })
}
