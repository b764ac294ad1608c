// Wrong: stores the order after the charge, and ignores the event of a payment that it does not know yet.
// mollie/laravel-mollie#119: the webhook came before the row was inserted, got 200, and the payment was never processed.
import express from 'express'
import { callApi } from '../lib/api.mjs'
import { openDatabase } from '../lib/database.mjs'
import { createCardSession, customerOf } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase(
  'create table if not exists orders (id text primary key, payment text, status text)',
)
const saveOrder = database.prepare("insert or ignore into orders values (?, ?, 'pending')")
const markPaid = database.prepare("update orders set status = 'paid' where payment = ?")
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
  const payment = await callApi('POST', '/v1/payments', { key: `order-${order}`, body })
  saveOrder.run(order, payment.id)
  response.json({ order })
})

app.post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return response.sendStatus(400)
  if (event.type === 'payment.succeeded') markPaid.run(event.data.object.id)
  response.sendStatus(204)
})

app.get('/debug/orders', (_request, response) => {
  response.json(listOrders.all())
})

app.listen(process.env.PORT, '127.0.0.1')
