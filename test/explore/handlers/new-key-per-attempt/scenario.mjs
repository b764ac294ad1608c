// A user buys, and the merchant refunds a part.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/buy', { user: 'ada', order: 'order-1' })
await complete('payment_sessions', session)
await post('/refund', { order: 'order-1', refund: 'refund-1', amount: 400 })
