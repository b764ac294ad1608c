import {
  type CardSession,
  type CardSessionFields,
  completeCardSession,
  createCardSession,
  isCardReplaced,
  validateCardSession,
  willChargeNewCard,
} from '../../../src/domain/completion/card-sessions.ts'
import { updateCard } from '../../../src/domain/completion/card-update.ts'
import { aCard, anAccount, anInvoice, aSubscription } from '../../support/account-samples.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer, eventTypesOf } from '../../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/completion/card-sessions')

const context = createRuleContext()
const customer = aCustomer(context)
const subscription = { ...aSubscription(context), customer: customer.id }

function create(
  fields: Partial<CardSessionFields> = {},
  owned: typeof subscription | null = null,
): CardSession {
  return createCardSession({ customer: customer.id, ...fields }, { customer, subscription: owned }, context)
    .after
}

test('creates an open session for all subscriptions that expires after a day', () => {
  const session = create()
  assert.equal([session.status, session.use_for, session.subscription], ['open', 'all', null])
  assert.equal([session.pay_open_invoices, session.payment_method, session.return_url], [true, null, null])
  assert.equal([session.created, session.expires_at], [START, START + DAY])
  assert.is(session.url, `${CHECKOUT_URL}/cards/${session.id}`)
})

test('a session with a subscription is only for it', () => {
  const session = create({ subscription: subscription.id }, subscription)
  assert.equal([session.use_for, session.subscription], ['subscription', subscription.id])
})

/** fields, codes and parameters of the errors */
const INVALID = [
  [{}, ''],
  [{ use_for: 'all' }, ''],
  [{ use_for: 'subscription', subscription: 'sub_1' }, ''],
  [{ subscription: 'sub_1' }, ''],
  [{ use_for: 'subscription' }, 'parameter_missing subscription'],
  // Null stands for a value that is already invalid.
  [{ use_for: 'subscription', subscription: null }, ''],
  [{ use_for: null, subscription: 'sub_1' }, ''],
  [{ use_for: 'all', subscription: 'sub_1' }, 'parameters_exclusive subscription'],
  [{ use_for: 'customer', subscription: 'sub_1' }, 'parameters_exclusive subscription'],
  [
    { use_for: 'customer', subscription: 'sub_1', expires_at: START + 60 },
    'parameters_exclusive subscription, expires_at_out_of_range expires_at',
  ],
] as const

for (const [fields, wanted] of INVALID) {
  test(`${JSON.stringify(fields)} results in ${wanted || 'no error'}`, () => {
    const errors = validateCardSession(fields, START)
    assert.is(errors.map(({ code, param }) => `${code} ${param}`).join(', '), wanted)
  })
}

test('rejects the subscription of another customer, and a canceled one', async () => {
  const codeOf = async (owned: typeof subscription) =>
    (await catchDomainError(() => create({ subscription: owned.id }, owned))).code
  assert.is(await codeOf({ ...subscription, customer: 'cus_other' }), 'subscription_unexpected_customer')
  assert.is(await codeOf({ ...subscription, status: 'canceled' }), 'subscription_unexpected_state')
})

/** use, card of the subscription, whether it is the given one, whether its card is replaced, whether it uses the card */
const USES = [
  ['all', 'pm_1', false, true, true],
  ['all', null, false, false, true],
  ['customer', 'pm_1', false, false, false],
  ['customer', null, false, false, true],
  ['subscription', 'pm_1', true, true, true],
  ['subscription', null, true, true, true],
  ['subscription', 'pm_1', false, false, false],
  ['subscription', null, false, false, false],
] as const

for (const [use_for, default_payment_method, isGiven, isReplaced, isUsed] of USES) {
  const kind = `${isGiven ? 'the given' : 'a'} subscription ${default_payment_method ? 'with' : 'without'} its own card`
  test(`use_for ${use_for}: ${kind} ${isReplaced ? 'gets' : 'does not get'} the card and ${isUsed ? 'uses' : 'does not use'} it`, () => {
    const session = { ...create(), use_for, subscription: isGiven ? subscription.id : null }
    const owned = { ...subscription, default_payment_method }
    assert.equal([isCardReplaced(session, owned), willChargeNewCard(session, owned)], [isReplaced, isUsed])
  })
}

test('a completed session has its card and completed_at', () => {
  const session = create()
  const later = createRuleContext(START + 60)
  const { event, after } = completeCardSession(session, 'pm_1', later)
  assert.is(event, 'card_session.completed')
  assert.equal(after, {
    ...session,
    status: 'complete',
    payment_method: 'pm_1',
    completed_at: START + 60,
  })
})

test('an update saves the card, sets it, pays the invoices and completes the session, in this order', () => {
  const owned = { ...subscription, status: 'past_due' as const, default_payment_method: 'pm_old' }
  const invoice = { ...anInvoice(context, { attempted: true, attempt_count: 1 }), subscription: owned.id }
  const account = { ...anAccount(context), subscription: owned, customer, invoices: [invoice] }
  const history = { payments: [], authentication: null, pendingPayment: null, declineLog: null }
  const { changes, result } = updateCard(
    {
      session: create(),
      customer: { ...customer, default_payment_method: 'pm_old' },
      card: aCard(context).card,
      name: null,
      subscriptions: [owned],
      invoices: [{ account, invoice, history }],
      isAuthenticated: false,
    },
    context,
  )
  assert.equal(eventTypesOf(changes), [
    'payment_method.attached',
    'customer.updated',
    'subscription.updated',
    'payment.created',
    'payment.succeeded',
    'invoice.paid',
    'subscription.recovered',
    'card_session.completed',
  ])
  const recovered = changes.find(({ event }) => event === 'subscription.recovered')?.after
  assert.equal(recovered, { ...owned, status: 'active', default_payment_method: result.payment_method })
})

test('a card that has just authenticated is not asked again by the invoice', () => {
  const invoice = { ...anInvoice(context), subscription: subscription.id }
  const account = { ...anAccount(context), subscription, customer, invoices: [invoice] }
  const history = { payments: [], authentication: null, pendingPayment: null, declineLog: null }
  const typesAfter = (isAuthenticated: boolean) =>
    eventTypesOf(
      updateCard(
        {
          session: create(),
          customer,
          card: aCard(context, 'sca_always').card,
          name: null,
          subscriptions: [],
          invoices: [{ account, invoice, history }],
          isAuthenticated,
        },
        context,
      ).changes,
    )
  assert.ok(typesAfter(true).includes('invoice.paid'))
  assert.ok(typesAfter(false).includes('payment.requires_action'))
})

test.run()
