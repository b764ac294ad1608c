import { api } from '../../src/api/api.ts'
import { newCustomerWithCard } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/api-payment-lifecycle')

interface Subject {
  readonly id: string
  readonly customer: string
  readonly card: string
}

/** An API payment and all related events. `requires_action_broke` is declined by its issuer after 3-D Secure. */
const TABLE = `
  requires_action        approve     → succeeded authenticated
      py.succeeded
      leaves pm py:succeeded
  requires_action,requires_action_broke  reject      → failed failed ! authentication_failed
      py.failed
      leaves pm py:failed
  requires_action,requires_action_broke  cancel      → canceled - requested
      py.canceled
      leaves pm py:canceled
  requires_action,requires_action_broke  early       → same
  requires_action,requires_action_broke  late        → canceled - abandoned
      py.canceled
      leaves pm py:canceled
  requires_action,requires_action_broke  detach      → canceled - payment_method_detached
      py.canceled pm.detached cus.updated
      leaves pm:detached py:canceled
  requires_action,requires_action_broke  no_customer → canceled - customer_deleted
      py.canceled pm.detached cus.deleted
      leaves pm:detached py:canceled
  requires_action,requires_action_broke,failed,canceled  refund      → same ! payment_not_refundable

  requires_action_broke  approve     → failed authenticated ! card_declined insufficient_funds
      py.failed
      leaves pm py:failed

  succeeded              refund      → succeeded
      re.created py.refunded
      leaves pm py:succeeded re:succeeded
  succeeded              detach      → succeeded
      pm.detached cus.updated
      leaves pm:detached py:succeeded
  succeeded              no_customer → succeeded
      pm.detached cus.deleted
      leaves pm:detached py:succeeded
  succeeded,failed,canceled  approve,reject,cancel → same ! payment_unexpected_state
  succeeded,failed,canceled  early,late  → same

  failed                 detach      → failed
      pm.detached cus.updated
      leaves pm:detached py:failed
  failed                 no_customer → failed
      pm.detached cus.deleted
      leaves pm:detached py:failed

  canceled               detach      → canceled - requested
      pm.detached cus.updated
      leaves pm:detached py:canceled
  canceled               no_customer → canceled - requested
      pm.detached cus.deleted
      leaves pm:detached py:canceled
`

/** Charges the only card of a new customer, who is present, and returns the payment. */
async function charge(sandbox: Sandbox, alias: string): Promise<Subject> {
  const { customer, card } = await newCustomerWithCard(sandbox, alias)
  const create = sandbox.call(api.payments.create, {
    customer,
    amount: 4500,
    currency: 'eur',
    off_session: false,
  })
  await create.catch(() => catchDomainError(create))
  const { data } = await sandbox.call(api.payments.list, { customer })
  assert.is(data.length, 1)
  return { id: data[0]?.id ?? '', customer, card }
}

const waiting = (sandbox: Sandbox) => charge(sandbox, 'sca_always')

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    requires_action: waiting,
    requires_action_broke: (sandbox) => charge(sandbox, 'sca_no_funds'),
    succeeded: (sandbox) => charge(sandbox, 'visa'),
    failed: (sandbox) => charge(sandbox, 'declined'),
    canceled: after(waiting, (sandbox, { id }) => sandbox.call(api.payments.cancel, { id })),
  },
  triggers: {
    approve: (sandbox, { id }) => sandbox.call(api.payments.authenticate, { id }),
    reject: (sandbox, { id }) => sandbox.call(api.payments.authenticate, { id, three_d_secure: 'reject' }),
    cancel: (sandbox, { id }) => sandbox.call(api.payments.cancel, { id }),
    refund: (sandbox, { id }) => sandbox.call(api.refunds.create, { payment: id }),
    early: (sandbox) => sandbox.advance(DAY - 1),
    late: (sandbox) => sandbox.advance(DAY),
    detach: (sandbox, { card }) => sandbox.call(api.paymentMethods.detach, { id: card }),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { id }) => {
    const payment = await sandbox.call(api.payments.retrieve, { id })
    const { status, payment_method_details, canceled_reason } = payment
    const three_d_secure = payment_method_details.card?.three_d_secure
    return [status, three_d_secure ?? (canceled_reason ? '-' : ''), canceled_reason ?? ''].join(' ').trim()
  },
})

test('a late job cancels an abandoned payment with the time of its deadline', async () => {
  const sandbox = createSandbox()
  const { id } = await charge(sandbox, 'sca_always')
  const { created } = await sandbox.call(api.payments.retrieve, { id })
  await sandbox.advance(40 * DAY)
  const { canceled_at } = await sandbox.call(api.payments.retrieve, { id })
  assert.is(canceled_at, created + DAY)
})

test.run()
