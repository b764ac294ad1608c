// Wrong: two deliveries of an event at the same time both find it new, and both issue a licence.
// mollie/laravel-cashier-mollie#321: concurrent webhooks credited a customer twice, because nothing locked the check.
import fastify from 'fastify'
import { callApi } from '../lib/api.mjs'
import { openDatabase, transaction } from '../lib/database.mjs'
import { createPaymentSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase(`
  create table if not exists events (id text primary key);
  create table if not exists licences (number integer primary key, order_id text)`)
const findEvent = database.prepare('select id from events where id = ?')
const insertEvent = database.prepare('insert or ignore into events (id) values (?)')
const insertLicence = database.prepare('insert into licences (order_id) values (?)')
const countLicences = database.prepare(
  'select order_id, count(*) as licences from licences group by order_id',
)

const app = fastify()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, body),
)

app.post('/buy', async (request) => {
  const session = await createPaymentSession({ ...JSON.parse(request.body), amount: 4900 })
  return { session: session.id }
})

app.post('/webhooks', async (request, reply) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return reply.code(400).send()
  if (event.type !== 'payment_session.completed' || findEvent.get(event.id)) return reply.code(204).send()
  const session = await callApi('GET', `/v1/payment_sessions/${event.data.object.id}`)
  transaction(database, () => {
    insertEvent.run(event.id)
    insertLicence.run(session.metadata.order)
  })
  return reply.code(204).send()
})

app.get('/debug/orders', () => countLicences.all())

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
