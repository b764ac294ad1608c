// A user orders a parcel.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/buy', { user: 'ada', order: 'order-1' })
await complete('payment_sessions', session)
