// Corrected: stores the order before the charge, and finds it by the metadata of the payment.
import express from 'express'
import { callApi } from '../lib/api.mjs'
import { openDatabase } from '../lib/database.mjs'
import { createCardSession, customerOf } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase('create table if not exists orders (id text primary key, status text)')
const saveOrder = database.prepare("insert or ignore into orders values (?, 'pending')")
const markPaid = database.prepare("update orders set status = 'paid' where id = ?")
const listOrders = database.prepare('select id, status from orders')
const app = express()

app.post('/card', express.json(), async (request, response) => {
  const session = await createCardSession(request.body)
  response.json({ session: session.id })
})

app.post('/buy', express.json(), async (request, response) => {
  const { user, order } = request.body
  const customer = await customerOf(user)
  const body = { customer: customer.id, amount: 2500, currency: 'eur', metadata: { order } }
  saveOrder.run(order)
  await callApi('POST', '/v1/payments', { key: `order-${order}`, body })
  response.json({ order })
})

app.post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return response.sendStatus(400)
  // A payment of another app has no order.
  if (event.type === 'payment.succeeded') markPaid.run(event.data.object.metadata.order ?? null)
  response.sendStatus(204)
})

app.get('/debug/orders', (_request, response) => {
  response.json(listOrders.all())
})

app.listen(process.env.PORT, '127.0.0.1')
