// A program for tests: an app that gives access and counts money by webhooks. Its state is in $DATABASE, or in memory
// without it. Without traits, the app is correct.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { findSignatureProblems } from '../../../src/webhooks/verify.ts'

const { PORT = '', DATABASE = '', STARTS = '', TINY_SHOP = '' } = process.env
const { PAYCLI_WEBHOOK_SECRET = '' } = process.env
/** Properties of the app, such as `ignores-refunds`. */
const traits = new Set(TINY_SHOP.split(' '))

interface State {
  readonly events: string[]
  /** The net amount of each payment, and its customer. */
  readonly payments: Record<string, { readonly customer: string; readonly net: number }>
  /** The customer, the status and the last event of each subscription. */
  readonly subscriptions: Record<string, { readonly customer: string; status: string; sequence: number }>
  /** The subscriptions of which an invoice was paid. */
  readonly paid: string[]
}

const state: State =
  DATABASE !== '' && existsSync(DATABASE)
    ? JSON.parse(readFileSync(DATABASE, 'utf8'))
    : { events: [], payments: {}, subscriptions: {}, paid: [] }

function save(): void {
  if (DATABASE !== '') writeFileSync(DATABASE, JSON.stringify(state))
}

type Data = Readonly<Record<string, unknown>>

function apply(event: { id: string; type: string; sequence: number; data: { object: Data } }): void {
  const { object } = event.data
  if (traits.has('crashes') && event.type === 'payment.refunded') process.exit(1)
  const [id, customer] = [String(object['id']), String(object['customer'])]
  const net =
    (Number(object['amount_captured']) - Number(object['amount_refunded'])) /
    (traits.has('major-units') ? 100 : 1)
  const isRefund = event.type === 'payment.refunded' && !traits.has('ignores-refunds')
  // A late event must not replace a refund.
  if (isRefund || (event.type === 'payment.succeeded' && state.payments[id] === undefined))
    state.payments[id] = { customer, net }
  if (traits.has('counts-sessions') && event.type === 'payment_session.completed')
    state.payments[String(object['payment'])] = { customer, net: Number(object['amount']) }
  if (traits.has('counts-twice') && event.type === 'payment.succeeded')
    state.payments[`${id} ${state.events.length}`] = {
      customer,
      net: state.events.includes(event.id) ? net : 0,
    }
  if (event.type === 'invoice.paid') state.paid.push(String(object['subscription']))
  if (!event.type.startsWith('subscription.')) return
  const known = state.subscriptions[id]
  if (known !== undefined && known.sequence > event.sequence) return
  const status =
    traits.has('keeps-access') && event.type === 'subscription.canceled' ? 'active' : object['status']
  state.subscriptions[id] = { customer, status: String(status), sequence: event.sequence }
}

function isValid(headers: Record<string, string>, body: string): boolean {
  if (traits.has('trusts-everyone')) return true
  const options = { secret: PAYCLI_WEBHOOK_SECRET, now: Math.floor(Date.now() / 1000), tolerance: 300 }
  return findSignatureProblems({ headers, body }, options).length === 0
}

let waiting = Promise.resolve()
const startedMs = Date.now()

async function receive(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  const isForged = !isValid(request.headers as Record<string, string>, body)
  if (isForged && !traits.has('no-return')) return traits.has('fails-on-forgeries') ? 500 : 400
  const event = JSON.parse(body)
  if (traits.has('slow')) {
    waiting = waiting.then(() => setTimeout(60))
    await waiting
  }
  if (traits.has('works-later')) void setTimeout(700).then(() => store(event))
  else store(event)
  return isForged ? 400 : 204
}

function store(event: Parameters<typeof apply>[0]): void {
  if (traits.has('counts-twice') || !state.events.includes(event.id)) apply(event)
  state.events.push(event.id)
  save()
}

if (STARTS !== '') appendFileSync(STARTS, `${process.pid}\n`)
const server = createServer(async (request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  if (traits.has('starts-slowly') && Date.now() - startedMs < 500) return response.writeHead(503).end()
  const customer = new URLSearchParams(query).get('customer') ?? ''
  if (request.method === 'POST' && path === '/api/webhooks/billing')
    return response.writeHead(await receive(request)).end()
  const own = Object.values(state.payments).filter((one) => one.customer === customer)
  const isActive = Object.entries(state.subscriptions).some(
    ([id, one]) =>
      one.customer === customer &&
      ['trialing', 'active'].includes(one.status) &&
      (traits.has('trusts-status') || state.paid.includes(id)),
  )
  if (path === '/paid') return response.end(String(own.reduce((sum, { net }) => sum + net, 0)))
  if (path === '/access') return response.end(String(isActive))
  return response.writeHead(404).end()
})
server.listen(Number(PORT), 'localhost', () => process.stdout.write(JSON.stringify(server.address())))
