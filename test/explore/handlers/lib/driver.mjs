import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from './api.mjs'

const ATTEMPTS = 60
const DAY = 86_400

/** Posts to the app like a browser whose user tries again until it works, also while the app restarts. */
export async function post(path, body) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null)
    if (response?.ok) return response.json()
    if (attempt === ATTEMPTS) throw new Error(`POST ${path} failed: ${response?.status ?? 'no response'}`)
    await wait(200)
  }
}

/** Pays or saves a card on the page of a session, such as `payment_sessions` and its id. */
export function complete(sessions, id, card = 'visa') {
  return callApi('POST', `/v1/test_helpers/${sessions}/${id}/complete`, {
    key: `complete-${id}`,
    body: { test_card: card },
  })
}

/** Creates a test clock. */
export function createClock() {
  return callApi('POST', '/v1/test_helpers/test_clocks', {
    key: 'clock',
    body: { frozen_time: 1_750_000_000 },
  })
}

/** Advances a test clock to a number of days after its start. */
export function advance(clock, days) {
  return callApi('POST', `/v1/test_helpers/test_clocks/${clock.id}/advance`, {
    key: `advance-${days}`,
    body: { frozen_time: clock.frozen_time + days * DAY },
  })
}
