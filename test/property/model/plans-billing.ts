import { api } from '../../../src/api/api.ts'
import {
  cardOf,
  EMPTY_PLAN,
  idOf,
  type ModelContext,
  pickFrom,
  planObjectCreation,
  planRequest,
  type StepOf,
  type StepPlan,
} from './plans.ts'
import { findPendingPayment } from './rules.ts'
import type { Invoice } from './state.ts'

/** Plans steps of customers, cards, subscriptions and refunds. */
export function planAccount(
  context: ModelContext,
  step: StepOf<'choose' | 'delete customer' | 'detach' | 'update' | 'cancel' | 'refund'>,
): StepPlan {
  const { model, sandbox } = context
  switch (step.step) {
    case 'detach':
      return planRequest(
        context,
        pickFrom(model.cards, step.pick, ({ isAttached }) => isAttached),
        {
          real: (id) => sandbox.call(api.paymentMethods.detach, { id }),
          model: (card) => model.detach(card),
        },
      )
    case 'delete customer':
      return planRequest(
        context,
        pickFrom(model.customers, step.pick, ({ isDeleted }) => !isDeleted),
        {
          real: (id) => sandbox.call(api.customers.delete, { id }),
          model: (customer) => model.deleteCustomer(customer),
        },
      )
    case 'choose':
      return planChoice(context, step)
    case 'cancel':
      return planRequest(
        context,
        pickFrom(model.subscriptions, step.pick, ({ status }) => status !== 'canceled'),
        {
          real: (id) =>
            sandbox.call(api.subscriptions.cancel, { id, prorate: step.prorates, invoice_now: step.bills }),
          model: (subscription) => model.cancel(subscription, step),
        },
      )
    case 'update':
      return planUpdate(context, step)
    case 'refund':
      return planRefund(context, step)
  }
}

function planChoice(context: ModelContext, { pick, card: picked }: StepOf<'choose'>): StepPlan {
  const { model, sandbox } = context
  const customer = pickFrom(model.customers, pick, ({ isDeleted }) => !isDeleted)
  const card = picked === null || customer === null ? null : cardOf(context, customer, picked)
  const default_payment_method = card === null ? null : idOf(context, card)
  return planRequest(context, customer, {
    real: (id) => sandbox.call(api.customers.update, { id, default_payment_method }),
    model: (found) => model.choose(found, card),
  })
}

function planUpdate(
  context: ModelContext,
  { pick, endsWithPeriod, card: picked }: StepOf<'update'>,
): StepPlan {
  const { model, sandbox } = context
  const subscription = pickFrom(model.subscriptions, pick, ({ status }) => status !== 'canceled')
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
}

function planRefund(context: ModelContext, { pick, share }: StepOf<'refund'>): StepPlan {
  const { model, sandbox } = context
  const payment = pickFrom(model.payments, pick, ({ status }) => status === 'succeeded')
  if (payment === null) return EMPTY_PLAN
  const amount = share === 1 ? null : Math.ceil(payment.amount / share)
  const params = { payment: idOf(context, payment), ...(amount === null ? {} : { amount }) }
  return planObjectCreation(context, () => model.refunds.at(-1), {
    real: () => sandbox.call(api.refunds.create, params),
    model: () => model.refund(payment, amount),
  })
}

type ForInvoice = StepOf<'pay' | 'answer invoice' | 'finalize' | 'void' | 'write off'>

const FITTING: Readonly<Record<ForInvoice['step'], (invoice: Invoice) => boolean>> = {
  pay: ({ status }) => status === 'open' || status === 'uncollectible',
  'answer invoice': (invoice) => findPendingPayment(invoice) !== undefined,
  finalize: ({ status }) => status === 'draft',
  void: () => true,
  'write off': ({ status }) => status === 'open',
}

/** Plans steps of invoices. */
export function planInvoice(context: ModelContext, step: ForInvoice): StepPlan {
  const { model, sandbox } = context
  const invoice = pickFrom(model.invoices, step.pick, FITTING[step.step])
  switch (step.step) {
    case 'answer invoice':
      return planRequest(context, invoice, {
        real: (id) => sandbox.answer(id, step.isApproved),
        model: (found) => model.answerInvoice(found, step.isApproved),
      })
    case 'finalize':
      return planRequest(context, invoice, {
        real: (id) =>
          sandbox.call(api.invoices.finalize, { id, ...(step.isCollected ? { auto_advance: true } : {}) }),
        model: (found) => model.finalize(found, step.isCollected),
      })
    case 'void':
      return planRequest(context, invoice, {
        real: (id) => sandbox.call(api.invoices.void, { id }),
        model: (found) => model.void(found),
      })
    case 'write off':
      return planRequest(context, invoice, {
        real: (id) => sandbox.call(api.invoices.markUncollectible, { id }),
        model: (found) => model.writeOff(found),
      })
    case 'pay':
      return planPayment(context, invoice, step)
  }
}

function planPayment(
  context: ModelContext,
  invoice: Invoice | null,
  { how, card: picked }: StepOf<'pay'>,
): StepPlan {
  const { model, sandbox } = context
  const owner = invoice?.subscription.customer
  const isNamed = how !== 'out of band' && picked !== null && owner !== undefined
  const card = isNamed ? cardOf(context, owner, picked) : null
  const chosen = card === null ? {} : { payment_method: idOf(context, card) }
  const params =
    how === 'out of band' ? { paid_out_of_band: true } : { off_session: how === 'off session', ...chosen }
  return planRequest(context, invoice, {
    real: (id) => sandbox.call(api.invoices.pay, { id, ...params }),
    model: (found) => model.pay(found, { card, how }),
  })
}
