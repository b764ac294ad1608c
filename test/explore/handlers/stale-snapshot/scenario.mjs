// A user subscribes and cancels at the end of the period.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/buy', { user: 'ada' })
await complete('checkout_sessions', session)
await post('/cancel', { user: 'ada' })
