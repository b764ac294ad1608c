// Wrong: gives access when a period begins, and takes it when a payment fails. A payment that is recovered later emits only
// invoice.paid, so the user has paid and stays without access.
import { openDatabase } from '../lib/database.mjs'
import { servePlain } from '../lib/plain-server.mjs'
import { createCheckoutSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase(
  'create table if not exists access (subscription text primary key, status text, sequence integer)',
)
const saveAccess = database.prepare(`
  insert into access (subscription, status, sequence) values (?, ?, ?)
  on conflict do update set status = excluded.status, sequence = excluded.sequence
  where excluded.sequence > access.sequence`)

servePlain({
  'POST /buy': async (body) => {
    const session = await createCheckoutSession(JSON.parse(body))
    return { body: { session: session.id } }
  },
  'POST /webhooks': (body, headers) => {
    const event = readEvent(headers, body)
    if (event === null) return { status: 400 }
    const { id, subscription } = event.data.object
    if (event.type === 'subscription.created' || event.type === 'subscription.renewed')
      saveAccess.run(id, 'open', event.sequence)
    if (event.type === 'invoice.payment_failed') saveAccess.run(subscription, 'locked', event.sequence)
    return {}
  },
  'GET /debug/orders': () => ({ body: database.prepare('select status from access').all() }),
})
