import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customers } from '../../src/api/operations/customers.ts'
import { events } from '../../src/api/operations/events.ts'
import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { ROOT } from '../support/root.ts'
import { type Bench, type FigureRow, ratioRow, valueRow } from './figure.ts'
import { interleave } from './rounds.ts'
import { clientOf, newSandbox, withMemoryDaemon } from './sandbox-daemon.ts'
import { type DaemonServer, startDaemonServer } from './servers.ts'

const TESTS = 200
const AT_ONCE = 8
const OBJECTS = 5
/** Tests with a server each: the time of all is computed from these. */
const SERVER_TESTS = 24
const PAYCLI = join(ROOT, 'bin', 'run.js')
const MS_PER_SECOND = 1000
const NS_PER_MS = 1_000_000

const run = promisify(execFile)

/** A suite of tests with a sandbox each, beside one with a server each, and how soon `exec` starts its command. */
export async function suiteRows(bench: Bench): Promise<FigureRow[]> {
  const rounds = Math.min(bench.rounds, 3)
  const suites = await interleave(rounds, {
    paycli: () => withMemoryDaemon(bench, (server) => secondsOf(TESTS, (test) => sandboxTest(server, test))),
    baseline: async () => {
      const command = ['exec', '--', process.execPath, '-e', '0']
      const seconds = await secondsOf(SERVER_TESTS, () => run(process.execPath, [PAYCLI, ...command]))
      return (seconds * TESTS) / SERVER_TESTS
    },
  })
  const what = `${TESTS} tests with a sandbox each, ${AT_ONCE} at once; cross-talk checked`
  return [
    valueRow(`${what}, beside exec per test`, suites, { unit: 's', target: { atMost: 10 } }),
    await startRow(bench),
  ]
}

async function secondsOf(count: number, work: (test: number) => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return (performance.now() - startedMs) / MS_PER_SECOND
}

/** Creates objects in a new sandbox and throws unless every list and event there is its own. */
async function sandboxTest(server: DaemonServer, test: number): Promise<void> {
  const { id, client } = await newSandbox(server)
  const email = `test-${test}@example.com`
  for (let count = 0; count < OBJECTS; count += 1) await client.call(customers.create, { email })
  const listed = await client.call(customers.list, {})
  const emitted = await client.call(events.list, {})
  const own = listed.data.filter((customer) => customer.email === email)
  const sequences = emitted.data.map(({ sequence }) => sequence).join()
  if (listed.data.length !== OBJECTS || own.length !== OBJECTS || sequences !== '5,4,3,2,1')
    throw new Error(`cross-talk in test ${test}: ${JSON.stringify(listed.data)} ${sequences}`)
  await clientOf(server).call(sandboxes.delete, { id })
}

async function startRow(bench: Bench): Promise<FigureRow> {
  const place = await bench.ground.empty()
  await mkdir(place.folder, { recursive: true })
  const server = await startDaemonServer(bench, { folder: place.folder, file: null })
  const env = {
    ...process.env,
    ...{ PAYCLI_HOME: place.folder, PAYCLI_API_KEY: server.key },
    PAYCLI_API_BASE: `http://127.0.0.1:${server.port}`,
  }
  const startMs = async (...flags: string[]) => {
    const before = Date.now()
    const { stdout } = await run(process.execPath, [PAYCLI, 'exec', ...flags, '--', 'date', '+%s%N'], { env })
    const ms = Number(stdout) / NS_PER_MS - before
    bench.note(`exec ${flags.join(' ')}: the command starts after ${ms.toFixed(0)} ms`)
    return ms
  }
  await startMs('--sandbox')
  const pairs = await interleave(bench.rounds, {
    paycli: () => startMs(),
    baseline: () => startMs('--sandbox'),
  })
  await server.end()
  await bench.ground.release(place)
  const what = 'time until exec starts its command ÷ with exec --sandbox'
  return ratioRow(what, pairs, { unit: 'ms', target: { atLeast: 5 } })
}
