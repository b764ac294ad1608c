import type { Bench, Figure, FigureRow } from './figure.ts'
import { interleave } from './rounds.ts'
import {
  type DaemonServer,
  describeLoad,
  measure,
  rateRow,
  type Server,
  startBareServer,
  startDaemonServer,
} from './servers.ts'

const WARM_SECONDS = 1.5
const CONNECTIONS = 64
const PUBLIC_URL = 'https://pay.example'

/** The page of a session, beside a bare Koa server that returns the same number of bytes of HTML. */
export const pages: Figure = async (bench) => [
  await beside(bench, 'page of a payment session', { checkoutUrl: PUBLIC_URL }),
  await beside(bench, 'the same with the developer tools of a local service', {}),
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
  const rate = (one: Server, asked: string, seconds: number) => {
    const numbers = { from: 0, to: 1, isRandom: true }
    const traffic = { asked: { method: 'GET', path: asked } as const, connections: CONNECTIONS, numbers }
    return measure(one, traffic, seconds)
  }
  const noted = async (one: Server, asked: string, whose: string) => {
    const measured = await rate(one, asked, bench.seconds)
    bench.note(describeLoad(`${whose}, ${length} bytes:`, measured))
    return measured
  }
  const same = `/pages/${length}`
  await rate(server, path, WARM_SECONDS)
  await rate(bare, same, WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: () => noted(server, path, name),
    baseline: () => noted(bare, same, 'bare Koa'),
  })
  await Promise.all([daemon.end(), bare.end()])
  await bench.ground.release(place)
  return rateRow(`${name} ÷ bare Koa page`, pairs, { atLeast: 0.4 })
}

/** Creates a customer and a payment session; resolves with the path of its page. */
async function newSession({ port, key }: DaemonServer): Promise<string> {
  const create = async (path: string, fields: object): Promise<{ id: string; url: string }> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { id: string; url: string }
  }
  const { id } = await create('customers', { email: 'ada@example.com', name: 'Ada Lovelace' })
  const { url } = await create('payment_sessions', {
    amount: 4500,
    currency: 'eur',
    customer: id,
    payment_method_types: ['card'],
    return_url: 'https://shop.example/thanks',
    description: 'Workshop',
  })
  return new URL(url).pathname
}
