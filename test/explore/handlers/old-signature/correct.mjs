// Corrected: rejects signatures that are older than five minutes.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { servePlain } from '../lib/plain-server.mjs'
import { createCardSession } from '../lib/shop.mjs'

const SECRET = Buffer.from(process.env.PAYCLI_WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const MAX_AGE_SECONDS = 300
const cards = new Map()

function isSigned(headers, body) {
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))
  if (!(ageSeconds <= MAX_AGE_SECONDS)) return false
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = Buffer.from(`v1,${createHmac('sha256', SECRET).update(text).digest('base64')}`)
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

servePlain({
  'POST /card': async (body) => {
    const session = await createCardSession(JSON.parse(body))
    return { body: { session: session.id } }
  },

  'POST /webhooks': (body, headers) => {
    if (!isSigned(headers, body)) return { status: 400 }
    const { type, sequence, data } = JSON.parse(body)
    if (type === 'payment_method.attached') {
      const { customer, card } = data.object
      const stored = cards.get(customer)
      if (stored === undefined || stored.sequence < sequence) {
        cards.set(customer, { sequence, brand: card.brand, last4: card.last4 })
      }
    }
    return {}
  },

  'GET /debug/orders': () => ({ body: [...cards.values()].map(({ brand, last4 }) => ({ brand, last4 })) }),
})
