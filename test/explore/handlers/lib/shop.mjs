import { callApi } from './api.mjs'

const RETURN_URL = 'https://shop.example/thanks'

/** Returns the customer of a user. The idempotency key makes it the same customer on every call. */
export function customerOf(user, { test_clock } = {}) {
  const body = { email: `${user}@example.com`, ...(test_clock ? { test_clock } : {}) }
  return callApi('POST', '/v1/customers', { key: `customer-${user}`, body })
}

/** Creates the page on which the user pays an order. */
export async function createPaymentSession({ user, order, amount }) {
  const customer = await customerOf(user)
  return callApi('POST', '/v1/payment_sessions', {
    key: `payment-session-${order}`,
    body: {
      customer: customer.id,
      amount,
      currency: 'eur',
      payment_method_types: ['card'],
      return_url: RETURN_URL,
      metadata: { user, order },
    },
  })
}

/** Creates the page on which the user subscribes to a monthly plan. */
export async function createCheckoutSession({ user, seats = 1, test_clock }) {
  const customer = await customerOf(user, { test_clock })
  const item = {
    description: 'Seat',
    type: 'seat',
    quantity: seats,
    price_data: { amount: 900, currency: 'eur' },
  }
  return callApi('POST', '/v1/checkout_sessions', {
    key: `checkout-session-${user}`,
    body: {
      customer: customer.id,
      currency: 'eur',
      payment_method_types: ['card'],
      return_url: RETURN_URL,
      metadata: { user },
      subscription_data: { interval: 'month', interval_count: 1, items: [item], metadata: { user } },
    },
  })
}

/** Creates the page on which the user saves a card. */
export async function createCardSession({ user, request }) {
  const customer = await customerOf(user)
  const body = { customer: customer.id, return_url: RETURN_URL, metadata: { user } }
  return callApi('POST', '/v1/card_sessions', { key: `card-session-${request}`, body })
}
