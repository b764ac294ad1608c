// A user saves a card and later replaces it.
import { complete, post } from '../lib/driver.mjs'

const first = await post('/card', { user: 'ada', request: 'card-1' })
await complete('card_sessions', first.session, 'visa')
const second = await post('/card', { user: 'ada', request: 'card-2' })
await complete('card_sessions', second.session, 'mastercard')
