import type { Bench, Figure, FigureRow, FigureTarget } from './figure.ts'
import { customerId } from './records.ts'
import { interleave } from './rounds.ts'
import {
  measure,
  measureAndNote,
  processorRow,
  type Server,
  startBareServer,
  startDaemonServer,
} from './servers.ts'

const WARM_SECONDS = 1.5
const CONNECTIONS = 64
const RETRIEVE_CUSTOMER = { method: 'GET', path: `/v1/customers/${customerId('{n}')}` } as const

/** Retrieves of random customers, compared with a bare Koa server that returns the same number of bytes. */
export const retrieve: Figure = async (bench) => {
  const rows = [await at(bench, { size: 100_000, name: '100 k', target: { atMost: 1.85, later: 1 } })]
  if (bench.isQuick) return rows
  return [...rows, await at(bench, { size: 1_000_000, name: '1 M', target: { atMost: 2.2, later: 1 } })]
}

async function at(
  bench: Bench,
  { size, name, target }: { readonly size: number; readonly name: string; readonly target: FigureTarget },
): Promise<FigureRow> {
  const place = await bench.ground.seeded({ shape: 'snapshot', size })
  const [daemon, bare] = [await startDaemonServer(bench, place), await startBareServer()]
  const numbers = { from: 0, to: size, isRandom: true }
  const traffic = { asked: RETRIEVE_CUSTOMER, connections: CONNECTIONS, numbers }
  const rate = (server: Server, whose: string) => measureAndNote(bench, server, { name: whose, ...traffic })
  for (const server of [daemon, bare]) await measure(server, traffic, WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: () => rate(daemon, `paycli at ${name}`),
    baseline: () => rate(bare, 'bare Koa'),
  })
  await Promise.all([daemon.end(), bare.end()])
  await bench.ground.release(place)
  return processorRow(`retrieve at ${name} records ÷ bare Koa GET`, pairs, target)
}
