// Wrong: repeats a charge whose response was lost, without an idempotency key.
// akash-network/console#3449: retries of slow but successful top-ups charged customers two or three times.
import { callApi } from '../lib/api.mjs'
import { servePlain } from '../lib/plain-server.mjs'
import { createCardSession, customerOf } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const amounts = new Map()

servePlain({
  'POST /card': async (body) => {
    const session = await createCardSession(JSON.parse(body))
    return { body: { session: session.id } }
  },

  'POST /top-up': async (text) => {
    const { user, topUp } = JSON.parse(text)
    const customer = await customerOf(user)
    const body = { customer: customer.id, amount: 2000, currency: 'eur', metadata: { topUp } }
    await callApi('POST', '/v1/payments', { body })
    return {}
  },

  'POST /webhooks': (body, headers) => {
    const event = readEvent(headers, body)
    if (event === null) return { status: 400 }
    if (event.type === 'payment.succeeded') amounts.set(event.data.object.id, event.data.object.amount)
    return {}
  },

  'GET /debug/orders': () => ({ body: { topUps: [...amounts.values()] } }),
})
