// Wrong: acknowledges an event before anything about it is stored, and then ships the order in the background.
// mikenelsonjr/Accelerators#2: the handler returned 200 before the event was stored, so a failure lost it for good.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { callApi } from '../lib/api.mjs'
import { openDatabase } from '../lib/database.mjs'
import { createPaymentSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase('create table if not exists shipments (order_id text primary key)')
const ship = database.prepare('insert or ignore into shipments (order_id) values (?)')
const listShipments = database.prepare('select order_id from shipments')

const app = new Hono()

app.post('/buy', async (context) => {
  const session = await createPaymentSession({ ...(await context.req.json()), amount: 3000 })
  return context.json({ session: session.id })
})

app.post('/webhooks', async (context) => {
  const event = readEvent(context.req.header(), await context.req.text())
  if (event === null) return context.body(null, 400)
  if (event.type === 'payment_session.completed') void shipOrder(event.data.object.id)
  return context.body(null, 204)
})

async function shipOrder(id) {
  const session = await callApi('GET', `/v1/payment_sessions/${id}`)
  ship.run(session.metadata.order)
}

app.get('/debug/orders', (context) => context.json(listShipments.all()))

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
