import { api } from '../../src/api/api.ts'
import { invoiceIn, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { newCheckout } from '../support/samples.ts'
import { catchDomainError, type Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/payment-method-lifecycle')

interface Subject {
  readonly id: string
  readonly customer: string
  readonly subscription: string
  /** An open invoice of the customer. */
  readonly invoice: string
  /** Another customer. */
  readonly stranger: string
}

/**
 * A saved card: `default` of its customer and subscription, `second` of none, `own` only of the subscription whose
 * first renewal failed. `asked` has a payment that requires action. `steal` makes the card the default card of another
 * customer.
 */
const TABLE = `
  default   detach       → detached
      pm.detached cus.updated sub.updated
      leaves pm:detached sub:past_due in:open in:paid py:failed py:succeeded
  default   make_default,make_own,retrieve,list → same
  default   pay          → attached default own
      py.created py.succeeded in.paid sub.recovered
      leaves pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  default   no_customer  → detached own
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open in:paid py:failed py:succeeded
  default,second,own,asked  steal        → same ! payment_method_unexpected_customer

  second    detach       → detached
      pm.detached
      leaves pm pm:detached sub:past_due in:open in:paid py:failed py:succeeded
  second    make_default → attached default
      cus.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  second    make_own     → attached own
      sub.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  second    pay          → attached
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  second    no_customer  → detached
      sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open in:paid py:failed py:succeeded
  second,asked,detached  retrieve,list → same

  own       detach       → detached
      pm.detached sub.updated
      leaves pm pm:detached sub:past_due in:open in:paid py:failed py:succeeded
  own       make_default → attached default own
      cus.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  own       make_own,retrieve,list → same
  own       pay          → attached own
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  own       no_customer  → detached own
      sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open in:paid py:failed py:succeeded

  asked     detach       → detached
      py.canceled pm.detached
      leaves pm pm:detached sub:past_due in:open in:paid py:canceled py:failed py:succeeded
  asked     make_default → attached default
      cus.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:requires_action py:succeeded wait
  asked     make_own     → attached own
      sub.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:requires_action py:succeeded wait
  asked     pay          → attached ! authentication_required
      py.canceled py.created py.failed in.payment_action_required
      leaves pm pm sub:past_due in:open in:paid py:canceled py:failed py:failed py:succeeded
  asked     no_customer  → detached
      py.canceled sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open in:paid py:canceled py:failed py:succeeded

  detached  detach       → same ! payment_method_unexpected_state
  detached  make_default,make_own,steal,pay → same ! payment_method_unexpected_customer
  detached  no_customer  → detached
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open in:paid py:failed py:succeeded
`

const saved =
  (
    choose: (
      sandbox: Sandbox,
      subscription: { id: string; customer: string; card: string; invoice: string },
    ) => Promise<string>,
  ) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id, customer, default_payment_method } = await subscribe(sandbox, { card: 'renewal_flaky' })
    await toNextPeriod(sandbox, id)
    const { id: invoice } = await invoiceIn(sandbox, id, ['open'])
    const card = await choose(sandbox, { id, customer, card: default_payment_method ?? '', invoice })
    const { customer: stranger } = await newCheckout(sandbox)
    return { id: card, customer, subscription: id, invoice, stranger }
  }

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    default: saved(async (_sandbox, { card }) => card),
    second: saved(async (sandbox, { customer }) => (await saveCard(sandbox, customer, 'mastercard')).id),
    own: saved(async (sandbox, { id, customer }) => {
      const { id: card } = await saveCard(sandbox, customer, 'renewal_flaky')
      await sandbox.call(api.subscriptions.update, { id, default_payment_method: card })
      return card
    }),
    asked: saved(async (sandbox, { customer, invoice: id }) => {
      const { id: card } = await saveCard(sandbox, customer, 'sca_always')
      await catchDomainError(sandbox.call(api.invoices.pay, { id, payment_method: card, off_session: false }))
      return card
    }),
    detached: saved(async (sandbox, { customer }) => {
      const { id: card } = await saveCard(sandbox, customer, 'mastercard')
      await sandbox.call(api.paymentMethods.detach, { id: card })
      return card
    }),
  },
  triggers: {
    detach: (sandbox, { id }) => sandbox.call(api.paymentMethods.detach, { id }),
    make_default: (sandbox, { id, customer }) =>
      sandbox.call(api.customers.update, { id: customer, default_payment_method: id }),
    make_own: (sandbox, { id, subscription }) =>
      sandbox.call(api.subscriptions.update, { id: subscription, default_payment_method: id }),
    steal: (sandbox, { id, stranger }) =>
      sandbox.call(api.customers.update, { id: stranger, default_payment_method: id }),
    pay: (sandbox, { id, invoice }) => sandbox.call(api.invoices.pay, { id: invoice, payment_method: id }),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
    retrieve: (sandbox, { id }) => sandbox.call(api.paymentMethods.retrieve, { id }),
    list: (sandbox, { customer }) => sandbox.call(api.paymentMethods.listOfCustomer, { id: customer }),
  },
  stateOf: async (sandbox, { id, customer, subscription }) => {
    const owner = await sandbox.call(api.customers.retrieve, { id: customer })
    const { default_payment_method } = await sandbox.call(api.subscriptions.retrieve, { id: subscription })
    const method = await sandbox.call(api.paymentMethods.retrieve, { id })
    const isDefault = 'email' in owner && owner.default_payment_method === id
    const of = [isDefault ? 'default' : '', default_payment_method === id ? 'own' : ''].filter(Boolean)
    return [method.customer === customer ? 'attached' : 'detached', ...of].join(' ')
  },
})

test.run()
