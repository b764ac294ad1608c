// A user saves a card and then orders with it.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/card', { user: 'ada', request: 'card-1' })
await complete('card_sessions', session)
await post('/buy', { user: 'ada', order: 'order-1' })
