// Wrong: stores the subscription of whichever event arrives last.
// laravel/cashier-stripe#1201: `updated` came before `created`, so an active subscription was stored as incomplete.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { callApi } from '../lib/api.mjs'
import { openDatabase } from '../lib/database.mjs'
import { createCheckoutSession } from '../lib/shop.mjs'
import { readEvent } from '../lib/webhooks.mjs'

const database = openDatabase(`
  create table if not exists sessions (user text primary key, id text);
  create table if not exists subscriptions
    (id text primary key, user text, status text, ends_at_period_end integer)`)
const saveSession = database.prepare('insert or ignore into sessions (user, id) values (?, ?)')
const findSession = database.prepare('select id from sessions where user = ?')
const listSubscriptions = database.prepare('select user, status, ends_at_period_end from subscriptions')
const saveSubscription = database.prepare(`
  insert into subscriptions (id, user, status, ends_at_period_end) values (?, ?, ?, ?)
  on conflict do update set status = excluded.status, ends_at_period_end = excluded.ends_at_period_end`)

const app = new Hono()

app.post('/buy', async (context) => {
  const { user } = await context.req.json()
  const session = await createCheckoutSession({ user })
  saveSession.run(user, session.id)
  return context.json({ session: session.id })
})

app.post('/cancel', async (context) => {
  const { user } = await context.req.json()
  const session = await callApi('GET', `/v1/checkout_sessions/${findSession.get(user).id}`)
  const body = { cancel_at_period_end: true }
  await callApi('POST', `/v1/subscriptions/${session.subscription}`, { key: `cancel-${user}`, body })
  return context.json({})
})

app.post('/webhooks', async (context) => {
  const event = readEvent(context.req.header(), await context.req.text())
  if (event === null) return context.body(null, 400)
  if (event.type.startsWith('subscription.')) {
    const { id, status, cancel_at_period_end, metadata } = event.data.object
    saveSubscription.run(id, metadata.user, status, Number(cancel_at_period_end))
  }
  return context.body(null, 204)
})

app.get('/debug/orders', (context) => context.json(listSubscriptions.all()))

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
