// Corrected: the idempotency key names the top-up, so a repeated charge returns the payment of the first.
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
    await callApi('POST', '/v1/payments', { key: `top-up-${topUp}`, body })
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
