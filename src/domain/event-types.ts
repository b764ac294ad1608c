/** Every event the service sends, in the order of the documentation; adding one is adding a line. */
export const EVENT_TYPES = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'checkout_session.created',
  'checkout_session.completed',
  'checkout_session.expired',
  'payment_session.created',
  'payment_session.completed',
  'payment_session.expired',
  'payment_method.attached',
  'payment_method.detached',
  'payment.created',
  'payment.requires_action',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'subscription.created',
  'subscription.canceled',
  'invoice.created',
  'invoice.finalized',
  'invoice.sent',
  'invoice.paid',
  'invoice.updated',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
