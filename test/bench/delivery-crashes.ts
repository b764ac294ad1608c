import { setTimeout as sleep } from 'node:timers/promises'
import { customers } from '../../src/api/operations/customers.ts'
import { events } from '../../src/api/operations/events.ts'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import { readPages } from '../../src/cli/request/paginate.ts'
import type { Client } from '../../src/client/client.ts'
import type { DatabaseFolder } from './databases.ts'
import type { Receivers } from './deliveries.ts'
import { type Bench, type Figure, failuresRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { clientOf, startDaemonServer } from './servers.ts'

const KILLS = 200
const QUICK_KILLS = 20
const WRITERS = 8
const MOST_MS = 400
const MOST_EVENTS = 1_000_000
const CATCH_UP_MS = 60_000
const POLL_MS = 50

/** Kills the daemon repeatedly during creates and deliveries, and counts committed events that were never delivered. */
export const deliveryCrashes: Figure = async (bench) => {
  const kills = bench.isQuick ? QUICK_KILLS : KILLS
  const receivers = await startRole('receivers', { count: 1 })
  const place = await bench.ground.empty()
  for (let kill = 0; kill < kills; kill += 1) await killOnce(bench, { place, receivers, isFirst: kill === 0 })
  const { committed, missing } = await compare(bench, place, receivers)
  await receivers.kill()
  await bench.ground.release(place)
  const what = `${kills} × kill -9 amid deliveries: committed events never delivered`
  return [failuresRow(what, missing, committed)]
}

interface CrashRound {
  readonly place: DatabaseFolder
  readonly receivers: Receivers
  readonly isFirst: boolean
}

async function killOnce(bench: Bench, { place, receivers, isFirst }: CrashRound): Promise<void> {
  const daemon = await startDaemonServer(bench, place)
  const client = clientOf(daemon)
  const [port] = await receivers.call('ports')
  if (isFirst) await client.call(webhookEndpoints.create, { url: `http://127.0.0.1:${port}/events` })
  const writing = Array.from({ length: WRITERS }, () => write(client))
  await sleep(Math.random() * MOST_MS)
  await daemon.child.kill()
  await Promise.all(writing)
}

/** Creates customers until the daemon stops responding. */
async function write(client: Client): Promise<void> {
  for (;;) {
    const made = await client.call(customers.create, { email: 'ada@example.com' }).catch(() => null)
    if (made === null) return
  }
}

async function compare(bench: Bench, place: DatabaseFolder, receivers: Receivers) {
  const daemon = await startDaemonServer(bench, place)
  const client = clientOf(daemon)
  const { found } = await readPages((cursor) => client.call(events.list, { ...cursor }), MOST_EVENTS)
  const endMs = performance.now() + CATCH_UP_MS
  for (;;) {
    const told = new Set(await receivers.call('events'))
    const missing = found.filter(({ id }) => !told.has(id)).length
    if (missing === 0 || performance.now() > endMs) {
      await daemon.end()
      return { committed: found.length, missing }
    }
    await sleep(POLL_MS)
  }
}
