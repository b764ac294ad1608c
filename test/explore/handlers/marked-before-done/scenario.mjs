// A user subscribes with three seats.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/buy', { user: 'ada', seats: 3 })
await complete('checkout_sessions', session)
