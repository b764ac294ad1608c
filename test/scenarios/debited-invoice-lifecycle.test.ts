import { api } from '../../src/api/api.ts'
import { subscribe } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newCardSession } from '../support/samples.ts'
import { DAY, type Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/debited-invoice-lifecycle')

interface Subject {
  readonly customer: string
}

type Step = (sandbox: Sandbox, subject: Subject) => Promise<unknown>

function outcome(sandbox: Sandbox): Promise<void> {
  return sandbox.advance(3 * DAY)
}

const noCustomer: Step = (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer })

const detach: Step = async (sandbox, { customer }) => {
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  await sandbox.call(api.paymentMethods.detach, { id: data[0]?.id ?? 'pm_none' })
}

/** The newest invoice of the subscription of the customer. */
async function invoiceOf(sandbox: Sandbox, { customer }: Subject) {
  const [invoice] = (await sandbox.call(api.invoices.list, { customer })).data
  if (invoice === undefined) throw new Error(`${customer} has no invoice`)
  return invoice
}

const onInvoice =
  (run: (sandbox: Sandbox, id: string) => Promise<unknown>): Step =>
  async (sandbox, subject) =>
    run(sandbox, (await invoiceOf(sandbox, subject)).id)

async function subscriptionOf(sandbox: Sandbox, { customer }: Subject) {
  const { data } = await sandbox.call(api.subscriptions.list, { customer })
  return data[0]
}

const cancelSubscription: Step = async (sandbox, subject) =>
  sandbox.call(api.subscriptions.cancel, { id: (await subscriptionOf(sandbox, subject))?.id ?? '' })

const subscribed =
  (card: string) =>
  async (sandbox: Sandbox): Promise<Subject> =>
    subscribe(sandbox, { card })

const fortnight: Step = async (sandbox) => {
  for (let day = 0; day < 14; day += 1) await sandbox.advance(DAY)
}

/**
 * Invoices that a debit pays: `first` succeeds, `first_bad` fails, and then `retrying` is its first retry. The subscription
 * of `ended` is canceled while the debit has no outcome, the customer of `deleted` is deleted, and the account of `detached`
 * is detached. The number of attempts follows the status of the invoice.
 */
const TABLE = `
  first,first_bad,failed,retrying,paid,ended,ended_bad,deleted,deleted_bad,detached  early  → same
  first  outcome,fortnight  → paid/1 succeeded active
      py.succeeded in.paid
      leaves pm sub:active in:paid py:succeeded
  first,first_bad,retrying,ended,ended_bad,detached  pay_card  → same ! payment_processing
  first,first_bad,retrying,ended,ended_bad,deleted,deleted_bad,detached  pay,pay_outside,void,write_off  → same ! payment_processing
  deleted,deleted_bad  pay_card  → same ! customer_deleted
  first,first_bad  new_card  → open/1 processing active
      cd_sess.created pm.attached cus.updated sub.updated cd_sess.completed
      leaves pm pm sub:active in:open py:processing
  first,first_bad  cancel  → open/1 processing canceled
      sub.canceled in.updated
      leaves pm sub:canceled in:open py:processing
  first,first_bad  detach  → open/1 processing active
      pm.detached cus.updated sub.updated
      leaves pm:detached sub:active in:open py:processing
  first,first_bad  no_customer  → open/1 processing canceled
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open py:processing
  first_bad  outcome  → open/1 failed retry+3 past_due
      py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open py:failed
  first_bad  fortnight  → open/3 processing past_due
      py.failed in.payment_failed sub.past_due py.created in.updated py.failed in.payment_failed py.created in.updated
      leaves pm sub:past_due in:open py:failed py:failed py:processing
  failed  outcome  → open/2 processing past_due
      py.created in.updated
      leaves pm sub:past_due in:open py:failed py:processing
  failed  fortnight  → open/3 failed retry+7 past_due
      py.created in.updated py.failed in.payment_failed py.created in.updated py.failed in.payment_failed
      leaves pm sub:past_due in:open py:failed py:failed py:failed
  failed  pay  → open/1 processing past_due
      py.created in.updated
      leaves pm sub:past_due in:open py:failed py:processing
  failed  pay_card  → paid/1 succeeded active
      py.created py.succeeded in.paid sub.recovered
      leaves pm sub:active in:paid py:failed py:succeeded
  failed  pay_outside  → paid/1 failed active
      in.paid sub.recovered
      leaves pm sub:active in:paid py:failed
  failed  void  → void/1 failed active
      in.voided sub.recovered
      leaves pm sub:active in:void py:failed
  failed  write_off  → uncollectible/1 failed active
      in.marked_uncollectible sub.recovered
      leaves pm sub:active in:uncollectible py:failed
  failed  new_card  → paid/1 succeeded active
      cd_sess.created pm.attached cus.updated sub.updated py.created py.succeeded in.paid sub.recovered cd_sess.completed
      leaves pm pm sub:active in:paid py:failed py:succeeded
  failed  cancel  → open/1 failed canceled
      sub.canceled in.updated
      leaves pm sub:canceled in:open py:failed
  failed  detach  → open/1 failed retry+3 past_due
      pm.detached cus.updated sub.updated
      leaves pm:detached sub:past_due in:open py:failed
  failed  no_customer  → open/1 failed canceled
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open py:failed
  retrying  outcome  → open/2 failed retry+5 past_due
      py.failed in.payment_failed
      leaves pm sub:past_due in:open py:failed py:failed
  retrying  fortnight  → open/3 failed retry+4 past_due
      py.failed in.payment_failed py.created in.updated py.failed in.payment_failed
      leaves pm sub:past_due in:open py:failed py:failed py:failed
  retrying  new_card  → open/2 processing past_due
      cd_sess.created pm.attached cus.updated sub.updated cd_sess.completed
      leaves pm pm sub:past_due in:open py:failed py:processing
  retrying  cancel  → open/2 processing canceled
      sub.canceled in.updated
      leaves pm sub:canceled in:open py:failed py:processing
  retrying  detach  → open/2 processing past_due
      pm.detached cus.updated sub.updated
      leaves pm:detached sub:past_due in:open py:failed py:processing
  retrying  no_customer  → open/2 processing canceled
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open py:failed py:processing
  paid  outcome,fortnight  → same
  paid  pay,pay_card,pay_outside,void,write_off  → same ! invoice_unexpected_state
  paid  new_card  → paid/1 succeeded active
      cd_sess.created pm.attached cus.updated sub.updated cd_sess.completed
      leaves pm pm sub:active in:paid py:succeeded
  paid  cancel  → paid/1 succeeded canceled
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  paid  detach  → paid/1 succeeded active
      pm.detached cus.updated sub.updated
      leaves pm:detached sub:active in:paid py:succeeded
  paid  no_customer  → paid/1 succeeded canceled
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
  ended  outcome,fortnight  → paid/1 succeeded canceled
      py.succeeded in.paid
      leaves pm sub:canceled in:paid py:succeeded
  ended,ended_bad  new_card  → open/1 processing canceled
      cd_sess.created pm.attached cus.updated cd_sess.completed
      leaves pm pm sub:canceled in:open py:processing
  ended,ended_bad,deleted,deleted_bad  cancel  → same ! subscription_unexpected_state
  ended,ended_bad  detach  → open/1 processing canceled
      pm.detached cus.updated
      leaves pm:detached sub:canceled in:open py:processing
  ended,ended_bad  no_customer  → open/1 processing canceled
      pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open py:processing
  ended_bad  outcome,fortnight  → open/1 failed canceled
      py.failed in.payment_failed
      leaves pm sub:canceled in:open py:failed
  deleted  outcome,fortnight  → paid/1 succeeded canceled
      py.succeeded in.paid
      leaves pm:detached sub:canceled in:paid py:succeeded
  deleted,deleted_bad  new_card,no_customer  → same ! resource_missing
  deleted,deleted_bad,detached  detach  → same ! resource_missing
  deleted_bad  outcome,fortnight  → open/1 failed canceled
      py.failed in.payment_failed
      leaves pm:detached sub:canceled in:open py:failed
  detached  outcome  → open/1 failed retry+3 past_due
      py.failed in.payment_failed sub.past_due
      leaves pm:detached sub:past_due in:open py:failed
  detached  fortnight  → open/3 failed retry+4 past_due
      py.failed in.payment_failed sub.past_due in.payment_failed in.payment_failed
      leaves pm:detached sub:past_due in:open py:failed
  detached  new_card  → open/1 processing active
      cd_sess.created pm.attached cus.updated cd_sess.completed
      leaves pm:detached pm sub:active in:open py:processing
  detached  cancel  → open/1 processing canceled
      sub.canceled in.updated
      leaves pm:detached sub:canceled in:open py:processing
  detached  no_customer  → open/1 processing canceled
      sub.canceled in.updated cus.deleted
      leaves pm:detached sub:canceled in:open py:processing
`

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    first: subscribed('sepa_debit'),
    first_bad: subscribed('sepa_debit_fails'),
    failed: after(subscribed('sepa_debit_fails'), outcome),
    retrying: after(subscribed('sepa_debit_fails'), outcome, outcome),
    paid: after(subscribed('sepa_debit'), outcome),
    ended: after(subscribed('sepa_debit'), cancelSubscription),
    ended_bad: after(subscribed('sepa_debit_fails'), cancelSubscription),
    deleted: after(subscribed('sepa_debit'), noCustomer),
    deleted_bad: after(subscribed('sepa_debit_fails'), noCustomer),
    detached: after(subscribed('sepa_debit_fails'), detach),
  },
  triggers: {
    early: (sandbox) => sandbox.advance(3 * DAY - 1),
    outcome,
    fortnight,
    pay: onInvoice((sandbox, id) => sandbox.call(api.invoices.pay, { id })),
    pay_card: onInvoice((sandbox, id) => sandbox.call(api.invoices.payAsCustomer, { id, test_card: 'visa' })),
    pay_outside: onInvoice((sandbox, id) => sandbox.call(api.invoices.pay, { id, paid_out_of_band: true })),
    void: onInvoice((sandbox, id) => sandbox.call(api.invoices.void, { id })),
    write_off: onInvoice((sandbox, id) => sandbox.call(api.invoices.markUncollectible, { id })),
    new_card: async (sandbox, { customer }) => {
      const { id } = await newCardSession(sandbox, { customer })
      await sandbox.call(api.cardSessions.complete, { id, test_card: 'visa' })
    },
    cancel: cancelSubscription,
    detach,
    no_customer: noCustomer,
  },
  stateOf: async (sandbox, subject) => {
    const invoice = await invoiceOf(sandbox, subject)
    const { attempt_count, next_payment_attempt: next } = invoice
    const [payment] = (await sandbox.call(api.payments.list, { invoice: invoice.id })).data
    const wait = next === null ? '' : `retry+${(next - sandbox.now()) / DAY}`
    const subscription = await subscriptionOf(sandbox, subject)
    return [`${invoice.status}/${attempt_count}`, payment?.status, wait, subscription?.status]
      .filter(Boolean)
      .join(' ')
  },
})

test.run()
