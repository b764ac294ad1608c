import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentMethods } from '../../api/operations/payment-methods.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { EventType } from '../../domain/event-types.ts'
import { type Scene, tolerant } from './trigger-scene.ts'
import { cancelPayment, counted, exhaust, refund, renew, startLater } from './trigger-steps.ts'

/** How an event is caused. */
export interface Recipe {
  /** What is done, for the list of triggers. */
  readonly how: string
  /** The prefixes of ids that may be given in place of what it would make. */
  readonly from: readonly string[]
  /** The objects it creates, whose parameters can be changed. */
  readonly makes: readonly string[]
  readonly run: (scene: Scene) => Promise<unknown>
}

function recipe(given: { readonly [K in 'from' | 'makes']: string } & Pick<Recipe, 'how' | 'run'>): Recipe {
  const words = (text: string) => text.split(' ').filter((word) => word !== '')
  return { ...given, from: words(given.from), makes: words(given.makes) }
}

const CHECKOUT = { from: 'cus_ clock_ cks_', makes: 'test_clock customer checkout_session' }
const PAYMENT = { from: 'cus_ clock_ py_sess_', makes: 'test_clock customer payment_session' }
const RENEWAL = { from: 'cus_ clock_', makes: 'test_clock customer checkout_session' }
const INVOICE = { ...CHECKOUT, from: 'cus_ clock_ in_' }
const REFUND = { from: 'cus_ clock_ py_sess_ py_', makes: 'test_clock customer payment_session refund' }
const LATER_REFUND = { ...REFUND, from: 'cus_ clock_ py_sess_' }
const CLOCK = { from: 'clock_', makes: 'test_clock' }

/** How each event of the catalogue is caused, by really doing it. */
export const RECIPES: { readonly [T in EventType]: Recipe } = {
  'customer.created': recipe({
    from: 'clock_',
    makes: 'test_clock customer',
    how: 'creates a customer',
    run: (scene) => scene.customer(),
  }),
  'customer.updated': recipe({
    from: 'cus_ clock_',
    makes: 'test_clock customer',
    how: 'changes the metadata of a customer',
    run: async (scene) => {
      const { id, metadata } = await scene.customer()
      return scene.client.call(customers.update, { id, metadata: counted(metadata) })
    },
  }),
  'customer.deleted': recipe({
    from: 'cus_ clock_',
    makes: 'test_clock customer',
    how: 'deletes a customer',
    run: async (scene) => scene.client.call(customers.delete, { id: (await scene.customer()).id }),
  }),

  'checkout_session.created': recipe({
    ...CHECKOUT,
    from: 'cus_ clock_',
    how: 'creates a checkout session',
    run: (scene) => scene.checkout(),
  }),
  'checkout_session.completed': sold('completes a checkout session'),
  'checkout_session.expired': recipe({
    ...CHECKOUT,
    how: 'expires a checkout session',
    run: async (scene) => scene.client.call(checkoutSessions.expire, { id: (await scene.checkout()).id }),
  }),

  'payment_session.created': recipe({
    ...PAYMENT,
    from: 'cus_ clock_',
    how: 'creates a payment session',
    run: (scene) => scene.paymentSession(),
  }),
  'payment_session.completed': paid('completes a payment session'),
  'payment_session.expired': recipe({
    ...PAYMENT,
    how: 'expires a payment session',
    run: async (scene) =>
      scene.client.call(paymentSessions.expire, { id: (await scene.paymentSession()).id }),
  }),

  'payment_method.attached': sold('completes a checkout session, which saves the card'),
  'payment_method.detached': recipe({
    ...CHECKOUT,
    from: 'cus_ clock_ cks_ pm_',
    how: 'detaches a saved card',
    run: async (scene) => scene.client.call(paymentMethods.detach, { id: await scene.card() }),
  }),

  'payment.created': paid('pays a payment session'),
  'payment.requires_action': recipe({
    ...PAYMENT,
    how: 'pays with a card that asks for 3-D Secure',
    run: (scene) => scene.payment('sca_required'),
  }),
  'payment.succeeded': paid('pays a payment session'),
  'payment.failed': recipe({
    ...PAYMENT,
    how: 'pays with a card that is declined',
    run: (scene) => tolerant(scene.payment('declined')),
  }),
  'payment.canceled': recipe({
    from: 'cus_ clock_',
    makes: 'test_clock customer checkout_session',
    how: 'voids an invoice while its payment waits for 3-D Secure',
    run: cancelPayment,
  }),
  'payment.refunded': refunded('refunds a payment'),
  'payment.updated': refundedLater('refund_fails', 'refunds a payment, which fails an hour later'),

  'subscription.created': sold('completes a checkout session'),
  'subscription.started': recipe({
    ...RENEWAL,
    how: 'sells a subscription that starts in a week, and moves its clock past that',
    run: startLater,
  }),
  'subscription.renewed': recipe({
    ...RENEWAL,
    from: 'cus_ clock_ sub_',
    how: 'moves the clock of a subscription to the end of its period',
    run: async (scene) => renew(scene, await scene.sale({ isOnClock: true })),
  }),
  'subscription.past_due': renewed('renewal_no_funds', 'renews with a card that is declined'),
  'subscription.unpaid': recipe({
    ...RENEWAL,
    how: 'lets every retry of a renewal fail; needs paycli serve --on-exhausted unpaid',
    run: exhaust,
  }),
  'subscription.recovered': recipe({
    ...RENEWAL,
    how: 'renews with a card that is declined, then settles the invoice',
    run: async (scene) => {
      const subscription = await scene.sale({ card: 'renewal_no_funds', isOnClock: true })
      await renew(scene, subscription)
      const { id } = await scene.latestInvoice(subscription)
      return scene.client.call(invoices.pay, { id, paid_out_of_band: true })
    },
  }),
  'subscription.updated': recipe({
    ...CHECKOUT,
    from: 'cus_ clock_ cks_ sub_',
    how: 'changes the metadata of a subscription',
    run: async (scene) => {
      const { id, metadata } = await scene.sale()
      return scene.client.call(subscriptions.update, { id, metadata: counted(metadata) })
    },
  }),
  'subscription.canceled': recipe({
    ...CHECKOUT,
    from: 'cus_ clock_ cks_ sub_',
    how: 'cancels a subscription',
    run: async (scene) => scene.client.call(subscriptions.cancel, { id: (await scene.sale()).id }),
  }),

  'invoice.created': sold('completes a checkout session'),
  'invoice.finalized': sold('completes a checkout session'),
  'invoice.sent': recipe({
    ...CHECKOUT,
    from: 'cus_ clock_',
    how: 'completes a checkout session whose invoices are sent',
    run: (scene) => scene.openInvoice(),
  }),
  'invoice.overdue': recipe({
    ...RENEWAL,
    how: 'sends an invoice that is due in a day, and moves its clock past that',
    run: async (scene) => {
      const invoice = await scene.openInvoice({ isOnClock: true, data: { days_until_due: 1 } })
      return scene.advance(invoice, { by: { interval: 'day', count: 2 } })
    },
  }),
  'invoice.paid': recipe({
    ...INVOICE,
    how: 'settles an open invoice out of band',
    run: async (scene) =>
      scene.client.call(invoices.pay, { id: (await scene.openInvoice()).id, paid_out_of_band: true }),
  }),
  'invoice.payment_failed': renewed('renewal_no_funds', 'renews with a card that is declined'),
  'invoice.payment_action_required': renewed('renewal_sca', 'renews with a card that wants the buyer'),
  'invoice.voided': recipe({
    ...INVOICE,
    how: 'voids an open invoice',
    run: async (scene) => scene.client.call(invoices.void, { id: (await scene.openInvoice()).id }),
  }),
  'invoice.marked_uncollectible': recipe({
    ...INVOICE,
    how: 'writes an open invoice off',
    run: async (scene) =>
      scene.client.call(invoices.markUncollectible, { id: (await scene.openInvoice()).id }),
  }),
  'invoice.updated': recipe({
    ...CHECKOUT,
    from: 'cus_ clock_',
    how: 'cancels a subscription that has an open invoice',
    run: async (scene) => {
      const { id } = await scene.sale({ data: { collection_method: 'send_invoice' } })
      return scene.client.call(subscriptions.cancel, { id })
    },
  }),

  'refund.created': refunded('refunds a payment'),
  'refund.updated': refundedLater('refund_async', 'refunds a payment, which arrives an hour later'),
  'refund.failed': refundedLater('refund_fails', 'refunds a payment, which fails an hour later'),

  'test_clock.created': recipe({
    from: '',
    makes: 'test_clock',
    how: 'creates a test clock',
    run: (scene) => scene.clock(),
  }),
  'test_clock.advancing': advanced(),
  'test_clock.ready': advanced(),
  'test_clock.internal_failure': recipe({
    ...CLOCK,
    how: 'breaks a test clock',
    run: async (scene) => scene.client.call(testClocks.fail, { id: (await scene.clock()).id }),
  }),
  'test_clock.deleting': clockDeleted(),
  'test_clock.deleted': clockDeleted(),
}

function clockDeleted(): Recipe {
  return recipe({
    ...CLOCK,
    how: 'deletes a test clock',
    run: async (scene) => scene.client.call(testClocks.delete, { id: (await scene.clock()).id }),
  })
}

function sold(how: string): Recipe {
  return recipe({
    ...CHECKOUT,
    how,
    run: async (scene) => scene.completed(await scene.checkout(), 'visa'),
  })
}

function paid(how: string): Recipe {
  return recipe({ ...PAYMENT, how, run: (scene) => scene.payment() })
}

function refunded(how: string): Recipe {
  return recipe({ ...REFUND, how, run: async (scene) => refund(scene, await scene.payment()) })
}

function refundedLater(card: 'refund_async' | 'refund_fails', how: string): Recipe {
  return recipe({
    ...LATER_REFUND,
    how,
    run: async (scene) => {
      const made = await refund(scene, await scene.payment(card, { isOnClock: true }))
      return scene.advance(made, { by: { interval: 'hour', count: 2 } })
    },
  })
}

function renewed(card: 'renewal_no_funds' | 'renewal_sca', how: string): Recipe {
  return recipe({
    ...RENEWAL,
    how,
    run: async (scene) => renew(scene, await scene.sale({ card, isOnClock: true })),
  })
}

function advanced(): Recipe {
  return recipe({
    ...CLOCK,
    how: 'moves a test clock by an hour',
    run: async (scene) => {
      const { id } = await scene.clock()
      return scene.advance({ id, test_clock: id }, { by: { interval: 'hour', count: 1 } })
    },
  })
}
