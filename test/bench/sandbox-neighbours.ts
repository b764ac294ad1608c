import { customers } from '../../src/api/operations/customers.ts'
import { CREATE_CUSTOMER } from './create.ts'
import { type Bench, type FigureRow, ratioRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave, type Measurements } from './rounds.ts'
import { clientOf, type NewSandbox, newSandboxes, withMemoryDaemon } from './sandbox-daemon.ts'
import { type DaemonServer, measure, type Traffic } from './servers.ts'

const SANDBOXES = 100
const CONNECTIONS = 64
const CUSTOMERS_EACH = 10
const WARM_SECONDS = 1
const NUMBERS = 1_000_000
/** Requests per second in the other sandboxes: each has one about every second. */
const BUSY_PER_SECOND = 100

/** Requests to the default sandbox beside 100 others, idle and busy. */
export async function neighbourRows(bench: Bench): Promise<FigureRow[]> {
  const rows: FigureRow[] = []
  for (const verb of ['create', 'retrieve'] as const) {
    for (const others of ['idle', 'busy'] as const) {
      const pairs: Measurements<number> = await interleave(bench.rounds, {
        paycli: () =>
          withMemoryDaemon(bench, async (server) => {
            const sandboxes = await newSandboxes(server, SANDBOXES)
            for (const { client } of sandboxes) {
              for (let count = 0; count < CUSTOMERS_EACH; count += 1)
                await client.call(customers.create, { email: 'ada@example.com' })
            }
            return others === 'idle'
              ? rateOf(bench, server, verb)
              : besideBusy(server, sandboxes, () => rateOf(bench, server, verb))
          }),
        baseline: () => withMemoryDaemon(bench, (server) => rateOf(bench, server, verb)),
      })
      // Requests of the busy ones take their own share of the processor, so that row has no target.
      const target = others === 'idle' ? { atLeast: 0.95 } : null
      const what = `${verb} in the default sandbox beside ${SANDBOXES} ${others} ones ÷ without any`
      rows.push(ratioRow(what, pairs, { unit: '/s', target }))
    }
  }
  return rows
}

async function besideBusy<T>(
  server: DaemonServer,
  [first, ...others]: readonly NewSandbox[],
  work: () => Promise<T>,
): Promise<T> {
  const load = await startRole('load', {})
  const asked = { ...CREATE_CUSTOMER, key: first?.key ?? '', otherKeys: others.map(({ key }) => key) }
  const running = load.call('run', {
    ...{ port: server.port, asked, connections: 4, seconds: 600, perSecond: BUSY_PER_SECOND },
    numbers: { from: 0, to: NUMBERS, isRandom: false },
  })
  const result = await work()
  await load.call('stop')
  await running
  await load.kill()
  return result
}

async function rateOf(bench: Bench, server: DaemonServer, verb: 'create' | 'retrieve'): Promise<number> {
  const { id } = await clientOf(server).call(customers.create, { email: 'ada@example.com' })
  const asked =
    verb === 'create' ? CREATE_CUSTOMER : ({ method: 'GET', path: `/v1/customers/${id}` } as const)
  const traffic = (from: number): Traffic => ({
    ...{ asked, connections: CONNECTIONS },
    numbers: { from, to: from + NUMBERS, isRandom: false },
  })
  await measure(server, traffic(0), WARM_SECONDS)
  const { perSecond } = await measure(server, traffic(NUMBERS), bench.seconds)
  bench.note(`${verb}: ${Math.round(perSecond)}/s`)
  return perSecond
}
