// A user subscribes; the subscription renews once.
import { advance, complete, createClock, post } from '../lib/driver.mjs'

const clock = await createClock()
const { session } = await post('/buy', { user: 'ada', test_clock: clock.id })
await complete('checkout_sessions', session)
await advance(clock, 40)
