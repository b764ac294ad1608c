import { api } from '../../../src/api/api.ts'
import {
  answeredWith,
  cardOf,
  EMPTY_PLAN,
  idOf,
  isAlive,
  type ModelContext,
  pickFrom,
  planObjectCreation,
  planRequest,
  type StepOf,
  type StepPlan,
} from './plans.ts'
import type { Payment } from './state.ts'

const DAY = 86_400

type ForCards = StepOf<
  'create card session' | 'charge card' | 'cancel payment' | 'answer payment' | 'pay as customer'
>

/** Plans steps of card sessions, of payments with saved cards, and of invoices that a customer pays. */
export function planCards(context: ModelContext, step: ForCards): StepPlan {
  const { model, sandbox } = context
  switch (step.step) {
    case 'create card session':
      return planCardSession(context, step)
    case 'charge card':
      return planCharge(context, step)
    case 'cancel payment':
      return planRequest(context, pickFrom(model.payments, step.pick, isPending), {
        real: (id) => sandbox.call(api.payments.cancel, { id }),
        model: (payment) => model.cancelPayment(payment),
      })
    case 'answer payment': {
      const three_d_secure = step.isApproved ? 'approve' : 'reject'
      return planRequest(context, pickFrom(model.payments, step.pick, isPending), {
        real: (id) => sandbox.call(api.payments.authenticate, { id, three_d_secure }),
        model: (payment) => model.answerPayment(payment, step.isApproved),
      })
    }
    case 'pay as customer':
      return planRequest(
        context,
        pickFrom(model.invoices, step.pick, ({ status }) => status === 'open' || status === 'uncollectible'),
        {
          real: (id) =>
            sandbox.send(api.invoices.payAsCustomer, {
              id,
              body: { ...answeredWith(step), keep: step.keeps },
            }),
          model: (invoice) => model.payAsCustomer(invoice, step),
        },
      )
  }
}

const isPending = ({ status }: Payment) => status === 'requires_action'

function planCardSession(context: ModelContext, step: StepOf<'create card session'>): StepPlan {
  const { model, sandbox } = context
  const customer = pickFrom(model.customers, step.pick, isAlive)
  if (customer === null) return EMPTY_PLAN
  const own = model.subscriptions.filter((one) => one.customer === customer)
  const named = pickFrom(own, step.pick, ({ status }) => status !== 'canceled')
  const subscription = step.for === 'subscription' ? named : null
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
}

function planCharge(context: ModelContext, step: StepOf<'charge card'>): StepPlan {
  const { model, sandbox } = context
  const customer = pickFrom(model.customers, step.pick, isAlive)
  if (customer === null) return EMPTY_PLAN
  const { amount, isOffSession } = step
  const card = step.card === null ? null : cardOf(context, customer, step.card)
  const params = {
    ...{ customer: idOf(context, customer), amount, off_session: isOffSession },
    currency: 'eur' as const,
    ...(card === null ? {} : { payment_method: idOf(context, card) }),
  }
  return planRequest(context, customer, {
    real: () => sandbox.call(api.payments.create, params),
    model: (found) => model.chargeCard(found, { amount, card, isOffSession }),
  })
}
