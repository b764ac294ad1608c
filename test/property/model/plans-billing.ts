import { api } from '../../../src/api/index.ts'
import { among, type Both, cardOf, idOf, making, NOTHING, one, type Plan, type StepOf } from './plans.ts'
import { waitingFor } from './rules.ts'
import type { Invoice } from './state.ts'

/** What is planned for customers, their cards and subscriptions, and for money given back. */
export function planAccount(
  both: Both,
  step: StepOf<'choose' | 'delete customer' | 'detach' | 'update' | 'cancel' | 'refund'>,
): Plan {
  const { model, sandbox } = both
  switch (step.step) {
    case 'detach':
      return one(
        both,
        among(model.cards, step.pick, ({ isAttached }) => isAttached),
        {
          real: (id) => sandbox.call(api.paymentMethods.detach, { id }),
          model: (card) => model.detach(card),
        },
      )
    case 'delete customer':
      return one(
        both,
        among(model.customers, step.pick, ({ isDeleted }) => !isDeleted),
        {
          real: (id) => sandbox.call(api.customers.delete, { id }),
          model: (customer) => model.deleteCustomer(customer),
        },
      )
    case 'choose':
      return planChoice(both, step)
    case 'cancel':
      return one(
        both,
        among(model.subscriptions, step.pick, ({ status }) => status !== 'canceled'),
        {
          real: (id) => sandbox.call(api.subscriptions.cancel, { id }),
          model: (subscription) => model.cancel(subscription),
        },
      )
    case 'update':
      return planUpdate(both, step)
    case 'refund':
      return planRefund(both, step)
  }
}

function planChoice(both: Both, { pick, card: picked }: StepOf<'choose'>): Plan {
  const { model, sandbox } = both
  const customer = among(model.customers, pick, ({ isDeleted }) => !isDeleted)
  const card = picked === null || customer === null ? null : cardOf(both, customer, picked)
  const default_payment_method = card === null ? null : idOf(both, card)
  return one(both, customer, {
    real: (id) => sandbox.call(api.customers.update, { id, default_payment_method }),
    model: (found) => model.choose(found, card),
  })
}

function planUpdate(both: Both, { pick, endsWithPeriod, card: picked }: StepOf<'update'>): Plan {
  const { model, sandbox } = both
  const subscription = among(model.subscriptions, pick, ({ status }) => status !== 'canceled')
  const isPicked = typeof picked === 'number' && subscription !== null
  const chosen = isPicked ? cardOf(both, subscription.customer, picked) : null
  const card = picked === undefined ? undefined : chosen
  const params = {
    ...(endsWithPeriod === null ? {} : { cancel_at_period_end: endsWithPeriod }),
    ...(card === undefined ? {} : { default_payment_method: card === null ? null : idOf(both, card) }),
  }
  return one(both, subscription, {
    real: (id) => sandbox.call(api.subscriptions.update, { id, ...params }),
    model: (found) => model.update(found, { endsWithPeriod, card }),
  })
}

function planRefund(both: Both, { pick, share }: StepOf<'refund'>): Plan {
  const { model, sandbox } = both
  const payment = among(model.payments, pick, ({ status }) => status === 'succeeded')
  if (payment === null) return NOTHING
  const amount = share === 1 ? null : Math.ceil(payment.amount / share)
  const params = { payment: idOf(both, payment), ...(amount === null ? {} : { amount }) }
  return making(both, () => model.refunds.at(-1), {
    real: () => sandbox.call(api.refunds.create, params),
    model: () => model.refund(payment, amount),
  })
}

type ForInvoice = StepOf<'pay' | 'answer invoice' | 'finalize' | 'void' | 'write off'>

const FITTING: Readonly<Record<ForInvoice['step'], (invoice: Invoice) => boolean>> = {
  pay: ({ status }) => status === 'open' || status === 'uncollectible',
  'answer invoice': (invoice) => waitingFor(invoice) !== undefined,
  finalize: ({ status }) => status === 'draft',
  void: () => true,
  'write off': ({ status }) => status === 'open',
}

/** What is planned for invoices. */
export function planInvoice(both: Both, step: ForInvoice): Plan {
  const { model, sandbox } = both
  const invoice = among(model.invoices, step.pick, FITTING[step.step])
  switch (step.step) {
    case 'answer invoice':
      return one(both, invoice, {
        real: (id) => sandbox.answer(id, step.isApproved),
        model: (found) => model.answerInvoice(found, step.isApproved),
      })
    case 'finalize':
      return one(both, invoice, {
        real: (id) => sandbox.call(api.invoices.finalize, { id }),
        model: (found) => model.finalize(found),
      })
    case 'void':
      return one(both, invoice, {
        real: (id) => sandbox.call(api.invoices.void, { id }),
        model: (found) => model.void(found),
      })
    case 'write off':
      return one(both, invoice, {
        real: (id) => sandbox.call(api.invoices.markUncollectible, { id }),
        model: (found) => model.writeOff(found),
      })
    case 'pay':
      return planPayment(both, invoice, step)
  }
}

function planPayment(both: Both, invoice: Invoice | null, { how, card: picked }: StepOf<'pay'>): Plan {
  const { model, sandbox } = both
  const owner = invoice?.subscription.customer
  const isNamed = how !== 'out of band' && picked !== null && owner !== undefined
  const card = isNamed ? cardOf(both, owner, picked) : null
  const chosen = card === null ? {} : { payment_method: idOf(both, card) }
  const params =
    how === 'out of band' ? { paid_out_of_band: true } : { off_session: how === 'off session', ...chosen }
  return one(both, invoice, {
    real: (id) => sandbox.call(api.invoices.pay, { id, ...params }),
    model: (found) => model.pay(found, { card, how }),
  })
}
