import { api } from '../../../src/api/api.ts'
import {
  answeredWith,
  cardOf,
  EMPTY_PLAN,
  idOf,
  isAlive,
  isLive,
  isOwed,
  type Planners,
  pickFrom,
  planObjectCreation,
  planRequest,
  withCard,
} from './plans.ts'
import { findPendingPayment } from './rules.ts'

/** Plans of customers, cards, subscriptions and refunds. */
export const ACCOUNT_PLANS = {
  detach: (context, { pick }) => {
    const { model, sandbox } = context
    const card = pickFrom(model.cards, pick, ({ isAttached }) => isAttached)
    return planRequest(context, card, {
      real: (id) => sandbox.call(api.paymentMethods.detach, { id }),
      model: (found) => model.detach(found),
    })
  },
  'delete customer': (context, { pick }) => {
    const { model, sandbox } = context
    return planRequest(context, pickFrom(model.customers, pick, isAlive), {
      real: (id) => sandbox.call(api.customers.delete, { id }),
      model: (customer) => model.deleteCustomer(customer),
    })
  },
  choose: (context, { pick, card: picked }) => {
    const { model, sandbox } = context
    const customer = pickFrom(model.customers, pick, isAlive)
    const card = picked === null || customer === null ? null : cardOf(context, customer, picked)
    const default_payment_method = card === null ? null : idOf(context, card)
    return planRequest(context, customer, {
      real: (id) => sandbox.call(api.customers.update, { id, default_payment_method }),
      model: (found) => model.choose(found, card),
    })
  },
  cancel: (context, step) => {
    const { model, sandbox } = context
    const params = { prorate: step.prorates, invoice_now: step.bills }
    return planRequest(context, pickFrom(model.subscriptions, step.pick, isLive), {
      real: (id) => sandbox.call(api.subscriptions.cancel, { id, ...params }),
      model: (subscription) => model.cancel(subscription, step),
    })
  },
  update: (context, { pick, endsWithPeriod, card: picked }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, pick, isLive)
    const isPicked = typeof picked === 'number' && subscription !== null
    const chosen = isPicked ? cardOf(context, subscription.customer, picked) : null
    const card = picked === undefined ? undefined : chosen
    const params = {
      ...(endsWithPeriod === null ? {} : { cancel_at_period_end: endsWithPeriod }),
      ...(card === undefined ? {} : { default_payment_method: card === null ? null : idOf(context, card) }),
    }
    return planRequest(context, subscription, {
      real: (id) => sandbox.call(api.subscriptions.update, { id, ...params }),
      model: (found) => model.update(found, { endsWithPeriod, card }),
    })
  },
  refund: (context, { pick, share }) => {
    const { model, sandbox } = context
    const payment = pickFrom(model.payments, pick, ({ status }) => status === 'succeeded')
    if (payment === null) return EMPTY_PLAN
    const amount = share === 1 ? null : Math.ceil(payment.amount / share)
    const params = { payment: idOf(context, payment), ...(amount === null ? {} : { amount }) }
    return planObjectCreation(context, () => model.refunds.at(-1), {
      real: () => sandbox.call(api.refunds.create, params),
      model: () => model.refund(payment, amount),
    })
  },
} satisfies Planners

/** Plans of invoices. */
export const INVOICE_PLANS = {
  'answer invoice': (context, { pick, isApproved }) => {
    const { model, sandbox } = context
    const invoice = pickFrom(model.invoices, pick, (one) => findPendingPayment(one) !== undefined)
    return planRequest(context, invoice, {
      real: (id) => sandbox.answer(id, isApproved),
      model: (found) => model.answerInvoice(found, isApproved),
    })
  },
  finalize: (context, { pick, isCollected }) => {
    const { model, sandbox } = context
    const collected = isCollected ? { auto_advance: true } : {}
    const invoice = pickFrom(model.invoices, pick, ({ status }) => status === 'draft')
    return planRequest(context, invoice, {
      real: (id) => sandbox.call(api.invoices.finalize, { id, ...collected }),
      model: (found) => model.finalize(found, isCollected),
    })
  },
  void: (context, { pick }) => {
    const { model, sandbox } = context
    return planRequest(context, pickFrom(model.invoices, pick), {
      real: (id) => sandbox.call(api.invoices.void, { id }),
      model: (invoice) => model.void(invoice),
    })
  },
  'write off': (context, { pick }) => {
    const { model, sandbox } = context
    const invoice = pickFrom(model.invoices, pick, ({ status }) => status === 'open')
    return planRequest(context, invoice, {
      real: (id) => sandbox.call(api.invoices.markUncollectible, { id }),
      model: (found) => model.writeOff(found),
    })
  },
  pay: (context, { pick, how, card: picked }) => {
    const { model, sandbox } = context
    const invoice = pickFrom(model.invoices, pick, isOwed)
    const isNamed = how !== 'out of band' && picked !== null && invoice !== null
    const card = isNamed ? cardOf(context, invoice.subscription.customer, picked) : null
    const chosen = card === null ? {} : { payment_method: idOf(context, card) }
    const params =
      how === 'out of band' ? { paid_out_of_band: true } : { off_session: how === 'off session', ...chosen }
    return planRequest(context, invoice, {
      real: (id) => sandbox.call(api.invoices.pay, { id, ...params }),
      model: (found) => model.pay(found, { card, how }),
    })
  },
  'pay as customer': (context, given) => {
    const step = withCard(given)
    const { model, sandbox } = context
    const body = { ...answeredWith(step), keep: step.keeps }
    return planRequest(context, pickFrom(model.invoices, step.pick, isOwed), {
      real: (id) => sandbox.send(api.invoices.payAsCustomer, { id, body }),
      model: (invoice) => model.payAsCustomer(invoice, step),
    })
  },
} satisfies Planners
