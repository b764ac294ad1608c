// Wrong: acknowledges an event also when the request that processes it failed.
// sbomify/sbomify#996: the handler returned 200 for errors that a retry would have solved, so subscription events were lost.
import fastify from 'fastify'
import { callApi } from '../lib/api.mjs'
import { openDatabase } from '../lib/database.mjs'
import { createCheckoutSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase('create table if not exists months (invoice text primary key, user text)')
const addMonth = database.prepare('insert or ignore into months (invoice, user) values (?, ?)')
const countMonths = database.prepare('select user, count(*) as months from months group by user')

const app = fastify()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, body),
)

app.post('/buy', async (request) => {
  const session = await createCheckoutSession(JSON.parse(request.body))
  return { session: session.id }
})

app.post('/webhooks', async (request, reply) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return reply.code(400).send()
  try {
    if (event.type === 'invoice.paid') await extendAccess(event.data.object)
  } catch (error) {
    process.stderr.write(`${error}\n`)
  }
  return reply.code(204).send()
})

async function extendAccess(invoice) {
  const subscription = await callApi('GET', `/v1/subscriptions/${invoice.subscription}`, { attempts: 1 })
  addMonth.run(invoice.id, subscription.metadata.user)
}

app.get('/debug/orders', () => countMonths.all())

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
