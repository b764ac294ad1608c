// Corrected: acknowledges the event of an invoice that is already in the ledger.
import express from 'express'
import { openDatabase } from '../lib/database.mjs'
import { createCheckoutSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase('create table if not exists ledger (invoice text primary key, amount integer)')
const book = database.prepare('insert or ignore into ledger (invoice, amount) values (?, ?)')
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
