import { api } from '../../src/api/api.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { newCustomerWithCard, saveCard } from '../support/billing.ts'
import { catchDomainError, createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { readCardTable } from './card-table.ts'

const test = suite('scenarios/api-payment-cards')

/**
 * Columns: alias, outcomes of successive off-session charges of the saved card, outcomes of on-session charges. An
 * outcome is `paid` or the code of the decline; `3ds,` means that the cardholder authenticated first.
 */
const TABLE = `
  visa visa_debit mastercard mastercard_2series mastercard_debit mastercard_prepaid amex amex_2 discover diners → paid  paid
  jcb unionpay refund_async refund_fails dispute dispute_not_received dispute_inquiry slow capture_fails → paid  paid
  declined decline_after_attach → generic_decline  generic_decline
  insufficient_funds            → insufficient_funds  insufficient_funds
  lost_card                     → lost_card  lost_card
  stolen_card                   → stolen_card  stolen_card
  expired                       → expired_card  expired_card
  incorrect_cvc                 → incorrect_cvc  incorrect_cvc
  processing_error              → processing_error  processing_error
  bad_luhn                      → incorrect_number  incorrect_number
  velocity                      → card_velocity_exceeded  card_velocity_exceeded
  fraudulent                    → fraudulent  fraudulent
  sca_setup sca_done            → paid  3ds,paid
  sca_always sca_required       → authentication_required  3ds,paid
  sca_no_funds                  → insufficient_funds  3ds,insufficient_funds
  sca_declined                  → generic_decline  3ds,generic_decline
  renewal_no_funds              → insufficient_funds  paid
  renewal_flaky                 → generic_decline paid  paid
  renewal_last_chance           → generic_decline generic_decline generic_decline paid paid
  renewal_lost                  → lost_card  paid
  renewal_sca                   → authentication_required  paid
  every_other                   → paid generic_decline paid  paid
`

for (const { alias, outcomes } of readCardTable(test, TABLE)) {
  const [off, on] = [outcomes.slice(0, -1), outcomes.at(-1) ?? '']

  test(`an API payment with saved card ${alias} has the outcomes ${off.join(', ')} off session`, async () => {
    const { sandbox, customer, card } = await createSavedCard(alias)
    const found: string[] = []
    for (const _ of off) found.push(await charge(sandbox, { customer, payment_method: card }))
    assert.equal(found, off)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })

  test(`an API payment with saved card ${alias} has the outcome ${on} on session`, async () => {
    const { sandbox, customer, card } = await createSavedCard(alias)
    const params = { customer, payment_method: card, off_session: false }
    assert.is(await charge(sandbox, params), on)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

async function createSavedCard(alias: string) {
  const sandbox = createSandbox()
  return { sandbox, ...(await newCustomerWithCard(sandbox, alias)) }
}

/** Charges a saved card, approves 3-D Secure, and returns the outcome. */
async function charge(
  sandbox: Sandbox,
  params: { readonly customer: string; readonly payment_method?: string; readonly off_session?: boolean },
): Promise<string> {
  const created = await outcomeOf(
    sandbox.call(api.payments.create, { amount: 4500, currency: 'eur', ...params }),
  )
  const { data } = await sandbox.call(api.payments.list, { customer: params.customer, limit: 1 })
  const [payment] = data
  if (payment?.status !== 'requires_action') return created
  assert.is(created, 'authentication_required')
  return `3ds,${await outcomeOf(sandbox.call(api.payments.authenticate, { id: payment.id }))}`
}

async function outcomeOf(work: Promise<{ readonly status: string }>): Promise<string> {
  const decline = await work.then(
    ({ status }) => {
      assert.is(status, 'succeeded')
      return null
    },
    () => catchDomainError(work),
  )
  return decline === null ? 'paid' : (decline.details.decline_code ?? decline.code)
}

test('an API payment off session counts attempts per card, independent of the amount and of other cards', async () => {
  const { sandbox, customer, card } = await createSavedCard('renewal_flaky')
  const { id: other } = await saveCard(sandbox, customer, 'renewal_flaky')
  const outcomes: string[] = []
  for (const payment_method of [card, other, card, other, card])
    outcomes.push(await charge(sandbox, { customer, payment_method }))
  assert.equal(outcomes, ['generic_decline', 'generic_decline', 'paid', 'paid', 'paid'])
})

test('an API payment on session is not counted as an attempt off session', async () => {
  const { sandbox, customer, card } = await createSavedCard('renewal_flaky')
  assert.is(await charge(sandbox, { customer, payment_method: card, off_session: false }), 'paid')
  assert.is(await charge(sandbox, { customer, payment_method: card }), 'generic_decline')
})

test('a card that approves every other charge alternates across sessions and API payments', async () => {
  const { sandbox, customer, card } = await createSavedCard('every_other')
  const session = await sandbox.call(api.paymentSessions.create, {
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  await sandbox.call(api.paymentSessions.complete, { id: session.id, test_card: 'every_other' })
  assert.is(await charge(sandbox, { customer, payment_method: card }), 'generic_decline')
  assert.is(await charge(sandbox, { customer, payment_method: card, off_session: false }), 'paid')
})

test('an API payment with an expired card is declined', async () => {
  const sandbox = createSandbox()
  const expired = { alias: 'visa', exp_month: 1, exp_year: 2023 }
  const { customer, card } = await newCustomerWithCard(sandbox, expired)
  for (const off_session of [true, false])
    assert.is(await charge(sandbox, { customer, payment_method: card, off_session }), 'expired_card')
})

test.run()
