import fc from 'fast-check'
import { customers } from '../../src/api/operations/customers.ts'
import { HOSTILE_REQUESTS, type Target } from '../support/hostile-requests.ts'
import { sendRawText } from '../support/raw-http.ts'
import { type Figure, type FigureRow, plainRow } from './figure.ts'
import { clientOf, startDaemonServer } from './servers.ts'

const REQUESTS = 10_000
const QUICK_REQUESTS = 500
const AT_ONCE = 16
const LONGEST_STALL_MS = 50

/** Sends hostile requests of each kind to a real daemon: it must not fail, stall or exit. */
export const fuzz: Figure = async (bench) => {
  const place = await bench.ground.empty()
  const server = await startDaemonServer(bench, place)
  const api = `http://127.0.0.1:${server.port}`
  const pages = `http://127.0.0.1:${await server.child.call('checkoutPort')}`
  const client = clientOf(server)
  const { id } = await client.call(customers.create, { email: 'ada@example.com' })
  const usual = { key: server.key, ids: [id, 'cus_none'] }
  const targets = [api, pages].map((url) => ({ ...usual, url }))
  const count = bench.isQuick ? QUICK_REQUESTS : REQUESTS
  const rows: FigureRow[] = []
  await server.child.call('watchStalls')
  for (const kind of Object.keys(HOSTILE_REQUESTS)) {
    const seed = Date.now() % 2 ** 31
    const bugs = await attack(targets, kind, { count, seed })
    bench.note(`${kind}: ${count} requests to each address, of seed ${seed}, ${bugs} answers of 500 and more`)
    rows.push(row(`${count} hostile ${kind}: answers that are bugs`, bugs, { most: 0, unit: '' }))
  }
  await client.call(customers.retrieve, { id })
  const stalls = await server.child.call('stalls')
  const longest = Math.max(0, ...stalls)
  rows.push(row('longest stall under hostile requests', longest, { most: LONGEST_STALL_MS, unit: 'ms' }))
  await server.end()
  await bench.ground.release(place)
  return rows
}

async function attack(
  targets: readonly Target[],
  kind: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<number> {
  const arbitrary = HOSTILE_REQUESTS[kind]
  if (arbitrary === undefined) throw new Error(`no hostile ${kind}`)
  const waiting = fc.sample(arbitrary, { numRuns: count, seed })
  let bugs = 0
  const sendOnAndOn = async () => {
    for (let made = waiting.pop(); made !== undefined; made = waiting.pop()) {
      for (const target of targets) {
        const { status } = await sendRawText(target.url, made(target), { isAll: true })
        if (status >= 500) bugs += 1
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOnAndOn))
  return bugs
}

function row(
  what: string,
  value: number,
  { most, unit }: { readonly most: number; readonly unit: string },
): FigureRow {
  return plainRow({
    what,
    paycli: `${Math.round(value)} ${unit}`.trim(),
    target: `≤ ${most} ${unit}`.trim(),
    met: value <= most ? 'yes' : 'NO',
  })
}
