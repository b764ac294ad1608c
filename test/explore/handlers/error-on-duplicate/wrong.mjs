// Wrong: fails when an invoice is already in the ledger, so its event is never acknowledged.
// Adyen/adyen-magento2#3089: an exception for duplicate webhooks caused retries until no webhooks were sent any more.
import express from 'express'
import { openDatabase } from '../lib/database.mjs'
import { createCheckoutSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase('create table if not exists ledger (invoice text primary key, amount integer)')
const book = database.prepare('insert into ledger (invoice, amount) values (?, ?)')
const listEntries = database.prepare('select invoice, amount from ledger')
const app = express()

app.post('/buy', express.json(), async (request, response) => {
  const session = await createCheckoutSession(request.body)
  response.json({ session: session.id })
})

app.post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  const event = readEvent(request.headers, request.body)
  if (event === null) return response.sendStatus(400)
  const { id, amount_paid } = event.data.object
  if (event.type === 'invoice.paid') book.run(id, amount_paid)
  response.sendStatus(204)
})

app.get('/debug/orders', (_request, response) => {
  response.json(listEntries.all())
})

app.listen(process.env.PORT, '127.0.0.1')
