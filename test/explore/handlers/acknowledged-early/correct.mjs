// Corrected: stores the event before the acknowledgement, and continues with stored events after a restart.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { callApi } from '../lib/api.mjs'
import { openDatabase, transaction } from '../lib/database.mjs'
import { createPaymentSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const RETRY_MS = 100
const database = openDatabase(`
  create table if not exists inbox (session text primary key);
  create table if not exists shipments (order_id text primary key)`)
const receive = database.prepare('insert or ignore into inbox (session) values (?)')
const nextReceived = database.prepare('select session from inbox limit 1')
const remove = database.prepare('delete from inbox where session = ?')
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
  if (event.type === 'payment_session.completed') {
    receive.run(event.data.object.id)
    void shipOrders()
  }
  return context.body(null, 204)
})

async function shipOrders() {
  try {
    for (let row = nextReceived.get(); row; row = nextReceived.get()) await shipOrder(row.session)
  } catch {
    setTimeout(shipOrders, RETRY_MS)
  }
}

async function shipOrder(id) {
  const session = await callApi('GET', `/v1/payment_sessions/${id}`)
  transaction(database, () => {
    ship.run(session.metadata.order)
    remove.run(id)
  })
}

app.get('/debug/orders', (context) => context.json(listShipments.all()))

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
void shipOrders()
