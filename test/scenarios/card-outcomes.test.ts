import { api } from '../../src/api/api.ts'
import { SLOW_CARD_SECONDS, TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { advanceClockTo, createClock, createCustomerOn } from '../support/clocks.ts'
import { CARDS, newCheckout, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { readCardTable } from './card-table.ts'

const test = suite('scenarios/card-outcomes')

/**
 * Columns: alias, outcome of a charge, outcome of saving the card. `3ds` means that the cardholder had to authenticate
 * first; `slow` means that the issuer processes the charge slowly.
 */
const TABLE = `
  visa visa_debit mastercard mastercard_2series mastercard_debit mastercard_prepaid amex amex_2 discover diners → paid  saved
  jcb unionpay refund_async refund_fails dispute dispute_not_received dispute_inquiry renewal_no_funds renewal_flaky renewal_last_chance renewal_lost → paid  saved
  renewal_sca every_other capture_fails → paid  saved
  declined                → card_declined/generic_decline  card_declined/generic_decline
  insufficient_funds      → card_declined/insufficient_funds card_declined/insufficient_funds
  lost_card               → card_declined/lost_card  card_declined/lost_card
  stolen_card             → card_declined/stolen_card  card_declined/stolen_card
  expired                 → expired_card  expired_card
  incorrect_cvc           → incorrect_cvc  incorrect_cvc
  processing_error        → processing_error  processing_error
  bad_luhn                → incorrect_number  incorrect_number
  velocity                → card_declined/card_velocity_exceeded card_declined/card_velocity_exceeded
  fraudulent              → card_declined/fraudulent  card_declined/fraudulent
  decline_after_attach    → card_declined/generic_decline  saved
  sca_setup sca_always sca_done sca_required → 3ds,paid  3ds,saved
  sca_no_funds            → 3ds,card_declined/insufficient_funds 3ds,card_declined/insufficient_funds
  sca_declined            → 3ds,card_declined/generic_decline 3ds,card_declined/generic_decline
  slow                    → slow,paid  saved
`

for (const { alias, outcomes } of readCardTable(test, TABLE)) {
  const [charge = '', saving = ''] = outcomes

  test(`card ${alias} has the outcome ${charge} when charged and ${saving} when saved`, async () => {
    const sandbox = createSandbox()
    const once = await newPaymentSession(sandbox)
    assert.is(await submitOnPage(sandbox, once.id, alias), charge.replace('paid', 'done'))
    const later = await newCheckout(sandbox, { start_date: START + DAY })
    assert.is(await submitOnPage(sandbox, later.id, alias), saving.replace('saved', 'done'))
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })

  test(`card ${alias} has the same outcome in the API and on the page`, async () => {
    const sandbox = createSandbox()
    const once = await newPaymentSession(sandbox)
    const call = () => sandbox.call(api.paymentSessions.complete, { id: once.id, test_card: alias })
    assert.is(await outcomeOf(call), charge.replace(/^(3ds|slow),/, '').replace('paid', 'done'))
    const later = await newCheckout(sandbox, { start_date: START + DAY })
    const save = () => sandbox.call(api.checkoutSessions.complete, { id: later.id, test_card: alias })
    assert.is(await outcomeOf(save), saving.replace('3ds,', '').replace('saved', 'done'))
  })
}

async function submitOnPage(sandbox: Sandbox, session: string, alias: string): Promise<string> {
  const { number = '' } = TEST_CARDS.find((card) => card.alias === alias) ?? {}
  let asked = ''
  const outcome = await outcomeOf(async () => {
    const submitted = await sandbox.submit(session, typed(number))
    if (submitted.kind === 'done') return
    asked = submitted.kind === 'processing' ? 'slow,' : '3ds,'
    if (submitted.kind === 'authenticate') await sandbox.answer(session, true)
    else await sandbox.advance(SLOW_CARD_SECONDS)
    assert.is((await sessionNow(sandbox, session)).status, 'complete')
  })
  return asked + outcome
}

function sessionNow(sandbox: Sandbox, id: string) {
  const { retrieve } = id.startsWith('cks_') ? api.checkoutSessions : api.paymentSessions
  return sandbox.call(retrieve, { id })
}

async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  let refused = 'done'
  await work().catch(async (error) => {
    const { code, details } = await catchDomainError(Promise.reject(error))
    refused = details.decline_code ? `${code}/${details.decline_code}` : code
  })
  return refused
}

test('declines a number that is not a test card without creating a payment, when saved or charged', async () => {
  for (const terms of [{}, { start_date: START + DAY }]) {
    const sandbox = createSandbox()
    const { id } = await newCheckout(sandbox, terms)
    const before = await sandbox.snapshot()
    const { code, details, message } = await catchDomainError(sandbox.submit(id, typed(CARDS.stranger)))
    assert.equal(
      [code, details.decline_code, details.payment ?? null],
      ['card_declined', 'not_a_test_card', null],
    )
    assert.match(message, /not a test card.+Use a test card/)
    const { records } = await sandbox.snapshot()
    assert.equal({ ...records, traceless_declines: [] }, before.records)
  }
})

test('the decline limit error on a test clock suggests advancing the clock and has no retry delay', async () => {
  const sandbox = createSandbox()
  const { id: clock } = await createClock(sandbox, START - 400 * DAY)
  const { id } = await newPaymentSession(sandbox, { customer: await createCustomerOn(sandbox, clock) })
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await catchDomainError(sandbox.submit(id, typed(CARDS.declined)))
  }
  await sandbox.advance(DAY)
  const { details, message } = await catchDomainError(sandbox.submit(id, typed(CARDS.visa)))
  assert.equal([details.retryAfterSeconds, details.advanceSeconds], [undefined, 3600])
  assert.match(message, `Advance test clock '${clock}' by 3600 seconds, then try again.`)
  await advanceClockTo(sandbox, clock, START - 400 * DAY + 3600)
  assert.is((await sandbox.submit(id, typed(CARDS.visa))).kind, 'done')
})

test('a session allows ten declines per hour, then requires a wait until the oldest decline is an hour old', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  for (let attempt = 0; attempt < 10; attempt += 1) {
    assert.is((await catchDomainError(sandbox.submit(id, typed(CARDS.declined)))).code, 'card_declined')
    await sandbox.advance(60)
  }
  const before = await sandbox.snapshot()
  const { code, details, message } = await catchDomainError(sandbox.submit(id, typed(CARDS.visa)))
  assert.is(code, 'card_decline_rate_limit_exceeded')
  assert.is(details.retryAfterSeconds, 3600 - 600)
  assert.match(message, /10 in the last hour, and the limit is 10/)
  assert.equal(await sandbox.snapshot(), before)
  await sandbox.advance(3600 - 600 - 1)
  assert.is((await catchDomainError(sandbox.submit(id, typed(CARDS.visa)))).details.retryAfterSeconds, 1)
  await sandbox.advance(1)
  assert.is((await sandbox.submit(id, typed(CARDS.visa))).kind, 'done')
})

/** Declines without a payment, by case: the card and the kind of session. */
const TRACELESS = {
  'a number that is not a test card in a payment session': ['4111111111111111', 'payment'],
  'a number that is not a test card in a session with a future start': ['4111111111111111', 'future'],
  'a card that the issuer declines to save': [CARDS.declined, 'future'],
} as const

for (const [how, [number, kind]] of Object.entries(TRACELESS)) {
  test(`limits declines that create no payment: ${how}`, async () => {
    const sandbox = createSandbox()
    const start = { start_date: START + 30 * DAY }
    const { id } = await (kind === 'payment' ? newPaymentSession(sandbox) : newCheckout(sandbox, start))
    for (let attempt = 0; attempt < 10; attempt += 1) {
      assert.is((await catchDomainError(sandbox.submit(id, typed(number)))).code, 'card_declined')
      await sandbox.advance(60)
    }
    const { code, details } = await catchDomainError(sandbox.submit(id, typed(CARDS.visa)))
    assert.equal([code, details.retryAfterSeconds], ['card_decline_rate_limit_exceeded', 3600 - 600])
    const { records } = await sandbox.snapshot()
    assert.equal(records.payments, [])
    assert.not.match(JSON.stringify(records.traceless_declines), number)
    await sandbox.advance(3600 - 600)
    assert.is((await sandbox.submit(id, typed(CARDS.visa))).kind, 'done')
  })
}

test('rejecting 3-D Secure while saving a card counts as a decline', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox, { start_date: START + 30 * DAY })
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await sandbox.submit(id, typed(CARDS.sca))
    assert.is((await catchDomainError(sandbox.answer(id, false))).code, 'authentication_failed')
  }
  const { code } = await catchDomainError(sandbox.submit(id, typed(CARDS.visa)))
  assert.is(code, 'card_decline_rate_limit_exceeded')
})

test('the decline limit counts declines with and without a payment together', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  for (let pair = 0; pair < 5; pair += 1) {
    for (const number of [CARDS.declined, '4111111111111111']) {
      assert.is((await catchDomainError(sandbox.submit(id, typed(number)))).code, 'card_declined')
    }
  }
  const { code } = await catchDomainError(sandbox.submit(id, typed(CARDS.visa)))
  assert.is(code, 'card_decline_rate_limit_exceeded')
})

test('counts the declines of each session separately toward the decline limit', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newPaymentSession(sandbox)
  for (let attempt = 0; attempt < 11; attempt += 1)
    await catchDomainError(sandbox.submit(id, typed(CARDS.declined)))
  const other = await newPaymentSession(sandbox, { customer })
  assert.is((await sandbox.submit(other.id, typed(CARDS.visa))).kind, 'done')
})

test('twenty concurrent submissions create one payment, and nineteen fail because the session is complete', async () => {
  for (const make of [newPaymentSession, newCheckout]) {
    const sandbox = createSandbox()
    const { id } = await make(sandbox)
    const submits = Array.from({ length: 20 }, () => outcomeOf(() => sandbox.submit(id, typed(CARDS.visa))))
    const outcomes = await Promise.all(submits)
    assert.is(outcomes.filter((outcome) => outcome === 'done').length, 1)
    assert.is(outcomes.filter((outcome) => outcome.endsWith('_unexpected_state')).length, 19)
    assert.is((await sandbox.snapshot()).records.payments.length, 1)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  }
})

test('a session can be completed in its last second, but not in the next second', async () => {
  for (const make of [newPaymentSession, newCheckout]) {
    const sandbox = createSandbox()
    const [early, late] = [await make(sandbox), await make(sandbox)]
    await sandbox.moveTo(early.expires_at - 1)
    assert.is((await sandbox.submit(early.id, typed(CARDS.visa))).kind, 'done')
    await sandbox.moveTo(late.expires_at)
    const { code, message } = await catchDomainError(sandbox.submit(late.id, typed(CARDS.visa)))
    assert.match(code, /_unexpected_state$/)
    assert.match(message, new RegExp(`Cannot complete \\w+ '${late.id}': it is expired`))
  }
})

test.run()
