// Corrected: grants the credits of a session once, however often its event is delivered.
import express from 'express'
import { createPaymentSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const CREDITS_PER_ORDER = 100
const app = express()
const credits = {}
const granted = new Set()

app.post('/buy', express.json(), async (request, response) => {
  const session = await createPaymentSession({ ...request.body, amount: 1000 })
  response.json({ session: session.id })
})

app.post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return response.sendStatus(400)
  const { id, metadata } = event.data.object
  if (event.type === 'payment_session.completed' && !granted.has(id)) {
    granted.add(id)
    credits[metadata.user] = (credits[metadata.user] ?? 0) + CREDITS_PER_ORDER
  }
  response.sendStatus(204)
})

app.get('/debug/orders', (_request, response) => {
  response.json(credits)
})

app.listen(process.env.PORT, '127.0.0.1')
