// A user buys one licence.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/buy', { user: 'ada', order: 'order-1' })
await complete('payment_sessions', session)
