import { api } from '../../../src/api/api.ts'
import {
  cardOf,
  EMPTY_PLAN,
  idOf,
  isAlive,
  isLive,
  type Planners,
  pickFrom,
  planObjectCreation,
  planRequest,
} from './plans.ts'
import { DAY } from './random-values.ts'
import type { Payment } from './state.ts'

const isPending = ({ status }: Payment) => status === 'requires_action'
const isReserved = ({ status }: Payment) => status === 'requires_capture'

/** Plans of card and portal sessions, and of payments with saved cards. */
export const CARD_PLANS = {
  'create card session': (context, step) => {
    const { model, sandbox } = context
    const customer = pickFrom(model.customers, step.pick, isAlive)
    if (customer === null) return EMPTY_PLAN
    const own = model.subscriptions.filter((one) => one.customer === customer)
    const subscription = step.for === 'subscription' ? pickFrom(own, step.pick, isLive) : null
    const use_for = subscription === null && step.for === 'subscription' ? 'all' : step.for
    const params = {
      customer: idOf(context, customer),
      use_for,
      pay_open_invoices: step.pays,
      ...(subscription === null ? {} : { subscription: idOf(context, subscription) }),
      ...(step.lifetime === null ? {} : { expires_at: customer.clock.now + step.lifetime }),
    }
    const use = { for: use_for, subscription, pays: step.pays }
    return planObjectCreation(context, () => model.sessions.at(-1), {
      real: () => sandbox.call(api.cardSessions.create, params),
      model: () => model.openCardSession(customer, { use, lifetime: step.lifetime ?? DAY }),
    })
  },
  'create portal session': (context, { pick }) => {
    const { model, sandbox } = context
    const customer = pickFrom(model.customers, pick, isAlive)
    if (customer === null) return EMPTY_PLAN
    return planObjectCreation(context, () => model.sessions.at(-1), {
      real: () => sandbox.call(api.portalSessions.create, { customer: idOf(context, customer) }),
      model: () => model.openPortal(customer),
    })
  },
  'charge card': (context, { pick, amount, isOffSession, isHold, card: picked }) => {
    const { model, sandbox } = context
    const customer = pickFrom(model.customers, pick, isAlive)
    if (customer === null) return EMPTY_PLAN
    const card = picked === null ? null : cardOf(context, customer, picked)
    const params = {
      ...{ customer: idOf(context, customer), amount, off_session: isOffSession },
      currency: 'eur' as const,
      ...(isHold ? { capture_method: 'manual' as const } : {}),
      ...(card === null ? {} : { payment_method: idOf(context, card) }),
    }
    return planRequest(context, customer, {
      real: () => sandbox.call(api.payments.create, params),
      model: (found) => model.chargeCard(found, { amount, card, isOffSession, isHold }),
    })
  },
  'capture payment': (context, { pick, share }) => {
    const { model, sandbox } = context
    const payment = pickFrom(model.payments, pick, isReserved)
    // Share 2 requests twice the reserved amount, share 3 the whole amount, and share 4 half of it.
    const part = payment === null || share === 1 ? null : Math.ceil((payment.amount * (6 - share)) / share)
    const amount = part === null ? {} : { amount: part }
    return planRequest(context, payment, {
      real: (id) => sandbox.call(api.payments.capture, { id, ...amount }),
      model: (found) => model.capturePayment(found, part),
    })
  },
  'cancel payment': (context, { pick }) => {
    const { model, sandbox } = context
    const isOpen = (one: Payment) => isPending(one) || isReserved(one)
    return planRequest(context, pickFrom(model.payments, pick, isOpen), {
      real: (id) => sandbox.call(api.payments.cancel, { id }),
      model: (payment) => model.cancelPayment(payment),
    })
  },
  'answer payment': (context, { pick, isApproved }) => {
    const { model, sandbox } = context
    const three_d_secure = isApproved ? 'approve' : 'reject'
    return planRequest(context, pickFrom(model.payments, pick, isPending), {
      real: (id) => sandbox.call(api.payments.authenticate, { id, three_d_secure }),
      model: (payment) => model.answerPayment(payment, isApproved),
    })
  },
} satisfies Planners
