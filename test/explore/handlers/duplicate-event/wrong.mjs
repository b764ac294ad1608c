// Wrong: grants the credits again when an event is delivered again.
// wasp-lang/open-saas#688: replays of a paid invoice each added ten more credits, and all were acknowledged with 204.
import express from 'express'
import { createPaymentSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const CREDITS_PER_ORDER = 100
const app = express()
const credits = {}

app.post('/buy', express.json(), async (request, response) => {
  const session = await createPaymentSession({ ...request.body, amount: 1000 })
  response.json({ session: session.id })
})

app.post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return response.sendStatus(400)
  if (event.type === 'payment_session.completed') {
    const { user } = event.data.object.metadata
    credits[user] = (credits[user] ?? 0) + CREDITS_PER_ORDER
  }
  response.sendStatus(204)
})

app.get('/debug/orders', (_request, response) => {
  response.json(credits)
})

app.listen(process.env.PORT, '127.0.0.1')
