// A user saves a card; the app then charges it for a top-up.
import { complete, post } from '../lib/driver.mjs'

const { session } = await post('/card', { user: 'ada', request: 'card-1' })
await complete('card_sessions', session)
await post('/top-up', { user: 'ada', topUp: 'top-up-1' })
