import { api } from '../../src/api/api.ts'
import type { Bench, Figure, FigureRow } from './figure.ts'
import { interleave } from './rounds.ts'
import {
  clientOf,
  type DaemonServer,
  measure,
  measureAndNote,
  rateRow,
  type Server,
  startBareServer,
  startDaemonServer,
  type Traffic,
} from './servers.ts'

const WARM_SECONDS = 1.5
const CONNECTIONS = 64
const PUBLIC_URL = 'https://pay.example'

/** The page of a session, beside a bare Koa server that returns the same number of bytes of HTML. */
export const pages: Figure = async (bench) => [
  await beside(bench, 'page of a payment session', { checkoutUrl: PUBLIC_URL }),
  await beside(bench, 'the same with the test bar of a local server', {}),
]

async function beside(
  bench: Bench,
  name: string,
  more: { readonly checkoutUrl?: string },
): Promise<FigureRow> {
  const place = await bench.ground.empty()
  const [daemon, bare] = [await startDaemonServer(bench, { ...place, ...more }), await startBareServer()]
  const path = await newSession(daemon)
  const server = { ...daemon, port: await daemon.child.call('checkoutPort') }
  const { length } = Buffer.from(await (await fetch(`http://127.0.0.1:${server.port}${path}`)).text())
  const trafficOf = (asked: string): Traffic => ({
    asked: { method: 'GET', path: asked },
    connections: CONNECTIONS,
    numbers: { from: 0, to: 1, isRandom: true },
  })
  const noted = (one: Server, asked: string, whose: string) =>
    measureAndNote(bench, one, { name: `${whose}, ${length} bytes:`, ...trafficOf(asked) })
  const same = `/pages/${length}`
  await measure(server, trafficOf(path), WARM_SECONDS)
  await measure(bare, trafficOf(same), WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: () => noted(server, path, name),
    baseline: () => noted(bare, same, 'bare Koa'),
  })
  await Promise.all([daemon.end(), bare.end()])
  await bench.ground.release(place)
  return rateRow(`${name} ÷ bare Koa page`, pairs, { atLeast: 0.4 })
}

/** Creates a customer and a payment session; resolves with the path of its page. */
async function newSession(server: DaemonServer): Promise<string> {
  const { call } = clientOf(server)
  const { id } = await call(api.customers.create, { email: 'ada@example.com', name: 'Ada Lovelace' })
  const { url } = await call(api.paymentSessions.create, {
    amount: 4500,
    currency: 'eur',
    customer: id,
    payment_method_types: ['card'],
    return_url: 'https://shop.example/thanks',
    description: 'Workshop',
  })
  return new URL(url).pathname
}
