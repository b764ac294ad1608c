// A program for tests: an app that creates a customer for each purchase, and an order in $DATABASE for each event,
// with the trait `sqlite` also in the file $DATABASE.sqlite. The app appends its process id to the file $STARTS. Without traits, the app has no bug that a fault could reveal.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { findSignatureProblems } from '../../../src/webhooks/verify.ts'

const { PORT = '', DATABASE = '', STARTS = '', TINY_APP = '' } = process.env
const { PAYCLI_API_BASE = '', PAYCLI_API_KEY = '', PAYCLI_WEBHOOK_SECRET = '' } = process.env
/** Properties of the app, such as `ignores-ids`. */
const traits = new Set(TINY_APP.split(' '))

const database = traits.has('sqlite') ? new DatabaseSync(`${DATABASE}.sqlite`) : null
database?.exec('create table if not exists orders (id integer primary key, customer text)')

function rows(): string[] {
  return existsSync(DATABASE) ? readFileSync(DATABASE, 'utf8').trim().split('\n') : []
}

async function buy(): Promise<number> {
  const response = await post('/v1/customers', { email: 'ada@example.com' })
  const { id } = Object(await response.json())
  if (traits.has('ignores-updates')) await post(`/v1/customers/${id}`, { name: 'Ada' })
  return response.status
}

function post(path: string, body: object): Promise<Response> {
  return fetch(PAYCLI_API_BASE + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${PAYCLI_API_KEY}`,
      'Content-Type': 'application/json',
      // Every scenario buys once, so another request is a retry.
      ...(!traits.has('keyless') && { 'Idempotency-Key': `purchase ${path}` }),
    },
    body: JSON.stringify(body),
  })
}

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function hasValidSignature(message: Message): boolean {
  const options = { secret: PAYCLI_WEBHOOK_SECRET, now: Math.floor(Date.now() / 1000), tolerance: 300 }
  return findSignatureProblems(message, options).length === 0
}

async function handle(path: string, message: Message): Promise<[status: number, text: string]> {
  if (path === '/orders') return [200, JSON.stringify({ orders: rows().length })]
  if (path === '/crash') process.exit(7)
  if (path === '/buy')
    return buy().then(
      (status) => [status, ''],
      (error) => [502, String(error)],
    )
  if (path === '/elsewhere') return [404, '']
  if (!hasValidSignature(message)) return [400, '']
  const { id, type, data } = JSON.parse(message.body)
  if (traits.has('ignores-updates') && type === 'customer.updated') return [404, '']
  const isKnown = rows().some((row) => row.startsWith(id))
  const store = () => {
    appendFileSync(DATABASE, `${id} ${type}\n`)
    database?.prepare('insert into orders (customer) values (?)').run(data.object.id)
  }
  // Some apps respond first and work later.
  if (traits.has('works-later')) void setTimeout(1000).then(store)
  else if (!isKnown || traits.has('ignores-ids')) store()
  return [traits.has('rejects') ? 500 : 200, '']
}

process.stdout.write(`started with ${PAYCLI_API_KEY.slice(0, 11)}\n`)
if (STARTS !== '') appendFileSync(STARTS, `${process.pid}\n`)
if (traits.has('exits')) process.exit(3)
if (traits.has('lists-at-start'))
  await fetch(`${PAYCLI_API_BASE}/v1/customers`, { headers: { Authorization: `Bearer ${PAYCLI_API_KEY}` } })
createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = request.headers as Record<string, string>
  const body = Buffer.concat(chunks).toString('utf8')
  const [status, text] = await handle(request.url ?? '', { headers, body })
  if (traits.has('hangs-up') && request.url === '/webhooks') request.socket.destroy()
  else response.writeHead(status).end(text)
}).listen(Number(PORT), 'localhost')
