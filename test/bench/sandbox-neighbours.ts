import { customers } from '../../src/api/operations/customers.ts'
import { CREATE_CUSTOMER } from './create.ts'
import type { Bench, FigureRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave, type Measurements } from './rounds.ts'
import { type NewSandbox, newSandboxes } from './sandbox-daemon.ts'
import {
  clientOf,
  type DaemonServer,
  type MeasuredLoad,
  measureAndNote,
  rateRow,
  withDaemon,
} from './servers.ts'

const SANDBOXES = 100
const CONNECTIONS = 64
const CUSTOMERS_EACH = 10
const NUMBERS = 1_000_000
/** Total requests per second in the other sandboxes; each sandbox receives about one request per second. */
const BUSY_PER_SECOND = 100

type Verb = 'create' | 'retrieve'

/**
 * Returns the rows of requests to the default sandbox while 100 other sandboxes are idle or busy. The compared daemons
 * run all the time, so that a measurement differs from the next one only in the other sandboxes.
 */
export async function neighbourRows(bench: Bench): Promise<FigureRow[]> {
  return withDaemon(bench, { file: null }, (alone) =>
    withDaemon(bench, { file: null }, async (crowded) => {
      const sandboxes = await filledSandboxes(crowded)
      const rows: FigureRow[] = []
      for (const verb of ['create', 'retrieve'] as const) {
        for (const server of [alone, crowded]) await loadOf(bench, server, verb)
        for (const others of ['idle', 'busy'] as const) {
          const pairs: Measurements<MeasuredLoad> = await interleave(bench.rounds, {
            paycli: () =>
              others === 'idle'
                ? loadOf(bench, crowded, verb)
                : besideBusy(crowded, sandboxes, () => loadOf(bench, crowded, verb)),
            baseline: () => loadOf(bench, alone, verb),
          })
          // Busy sandboxes use processor time themselves, so the rows with busy sandboxes have no target.
          const target = others === 'idle' ? { atLeast: 0.95 } : null
          const what = `${verb} in the default sandbox beside ${SANDBOXES} ${others} ones ÷ without any`
          rows.push(rateRow(what, pairs, target))
        }
      }
      return rows
    }),
  )
}

async function filledSandboxes(server: DaemonServer): Promise<NewSandbox[]> {
  const sandboxes = await newSandboxes(server, SANDBOXES)
  for (const { client } of sandboxes) {
    for (let count = 0; count < CUSTOMERS_EACH; count += 1)
      await client.call(customers.create, { email: 'ada@example.com' })
  }
  return sandboxes
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

async function loadOf(bench: Bench, server: DaemonServer, verb: Verb): Promise<MeasuredLoad> {
  const { id } = await clientOf(server).call(customers.create, { email: 'ada@example.com' })
  const asked =
    verb === 'create' ? CREATE_CUSTOMER : ({ method: 'GET', path: `/v1/customers/${id}` } as const)
  const numbers = { from: 0, to: NUMBERS, isRandom: false }
  return measureAndNote(bench, server, { name: verb, asked, connections: CONNECTIONS, numbers })
}
