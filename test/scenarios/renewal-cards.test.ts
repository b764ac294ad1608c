import { api } from '../../src/api/api.ts'
import type { Event } from '../../src/domain/events/events.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { readCardTable } from './card-table.ts'

const test = suite('scenarios/renewal-cards')

/**
 * Columns: alias, outcomes, final status of the subscription. The outcomes are those of the renewal and of each retry
 * after 3, 5 and 7 days: `paid`, the code of a decline, or `skipped` after a hard decline.
 */
const TABLE = `
  visa visa_debit mastercard mastercard_2series mastercard_debit mastercard_prepaid amex amex_2 discover diners → paid active
  jcb unionpay sca_setup sca_done refund_async refund_fails dispute dispute_not_received dispute_inquiry slow every_other capture_fails → paid active
  declined decline_after_attach sca_declined → generic_decline generic_decline generic_decline generic_decline canceled
  insufficient_funds sca_no_funds → insufficient_funds insufficient_funds insufficient_funds insufficient_funds canceled
  renewal_no_funds                → insufficient_funds insufficient_funds insufficient_funds insufficient_funds canceled
  lost_card renewal_lost          → lost_card skipped skipped skipped canceled
  stolen_card                     → stolen_card skipped skipped skipped canceled
  expired                         → expired_card skipped skipped skipped canceled
  incorrect_cvc                   → incorrect_cvc incorrect_cvc incorrect_cvc incorrect_cvc canceled
  processing_error                → processing_error processing_error processing_error processing_error canceled
  bad_luhn                        → incorrect_number skipped skipped skipped canceled
  velocity                        → card_velocity_exceeded card_velocity_exceeded card_velocity_exceeded card_velocity_exceeded canceled
  fraudulent                      → fraudulent skipped skipped skipped canceled
  sca_always sca_required renewal_sca → authentication_required skipped skipped skipped canceled
  renewal_flaky                   → generic_decline paid active
  renewal_last_chance             → generic_decline generic_decline generic_decline paid active
`

for (const { alias, outcomes } of readCardTable(test, TABLE)) {
  test(`a renewal with card ${alias} has the attempt outcomes and the final status ${outcomes.join(', ')}`, async () => {
    const sandbox = createSandbox()
    const { id, customer } = await subscribe(sandbox)
    const { id: card } = await saveCard(sandbox, customer, alias)
    await sandbox.call(api.subscriptions.update, { id, default_payment_method: card })
    const found: string[] = []
    await toNextPeriod(sandbox, id)
    for (const days of [3, 5, 7, 0]) {
      found.push(await lastOutcome(sandbox, id))
      if (found.at(-1) === 'paid') break
      await sandbox.advance(days * DAY)
    }
    const { status } = await sandbox.call(api.subscriptions.retrieve, { id })
    assert.equal([...found, status], outcomes)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

/** Returns the outcome of the last attempt on the newest invoice. */
async function lastOutcome(sandbox: Sandbox, subscription: string): Promise<string> {
  const { id, last_payment_error, auto_advance } = (await invoicesOf(sandbox, subscription)).at(-1) ?? {}
  const events = (await sandbox.events()).filter(({ data }: Event) => data.object.id === id)
  // Canceling the subscription stops the collection of the invoice.
  const { type } = events.at(auto_advance || events.at(-1)?.type === 'invoice.paid' ? -1 : -2) ?? {}
  if (type === 'invoice.paid') return 'paid'
  if (type === 'invoice.updated') return 'skipped'
  const { code, decline_code } = last_payment_error ?? {}
  const event = code === 'authentication_required' ? 'payment_action_required' : 'payment_failed'
  assert.is(type, `invoice.${event}`)
  return String(decline_code ?? code)
}

/** Columns: month of expiry, month of the renewal, outcome. */
const EXPIRIES = `
  1 2 expired_card
  2 2 paid
  2 3 expired_card
  3 3 paid
`

for (const line of EXPIRIES.trim().split('\n')) {
  const [exp_month = 0, month = 0, outcome] = line
    .trim()
    .split(/\s+/)
    .map((word) => Number(word) || word)
  test(`a renewal in month ${month} with a card that expires in month ${exp_month} has the outcome ${outcome}`, async () => {
    const sandbox = createSandbox()
    const { id, customer } = await subscribe(sandbox)
    const expiring = { alias: 'visa', exp_month: Number(exp_month), exp_year: 2024 }
    const { id: card } = await saveCard(sandbox, customer, expiring)
    for (let period = 2; period < Number(month); period += 1) await toNextPeriod(sandbox, id)
    await sandbox.call(api.subscriptions.update, { id, default_payment_method: card })
    await toNextPeriod(sandbox, id)
    assert.is(new Date(sandbox.now() * 1000).getUTCMonth() + 1, month)
    assert.is(await lastOutcome(sandbox, id), outcome)
  })
}

/** Columns: card of the subscription, card of the customer, charged card; `-` for none. */
const WHO = `
  own  other own
  own  -     own
  -    other other
  -    -     -
  gone other other
  gone gone  -
`

for (const line of WHO.trim().split('\n')) {
  const [own = '', default_ = '', charged = ''] = line.trim().split(/\s+/)
  test(`a renewal charges ${charged === '-' ? 'no card' : `card ${charged}`} for a subscription with card ${own} of a customer with card ${default_}`, async () => {
    const sandbox = createSandbox()
    const { id, customer, default_payment_method: first } = await subscribe(sandbox)
    const cards = new Map([['-', null]]) as Map<string, string | null>
    for (const name of ['own', 'other']) cards.set(name, (await saveCard(sandbox, customer, 'visa')).id)
    cards.set('gone', first)
    await sandbox.call(api.subscriptions.update, { id, default_payment_method: cards.get(own) ?? null })
    await sandbox.call(api.customers.update, {
      id: customer,
      default_payment_method: cards.get(default_) ?? null,
    })
    await sandbox.call(api.paymentMethods.detach, { id: first ?? '' })
    await toNextPeriod(sandbox, id)
    const invoice = (await invoicesOf(sandbox, id)).at(-1)
    const { data } = await sandbox.call(api.payments.list, { invoice: invoice?.id ?? '' })
    assert.equal(
      data.map(({ payment_method }) => payment_method),
      charged === '-' ? [] : [cards.get(charged)],
    )
    assert.is(invoice?.status, charged === '-' ? 'open' : 'paid')
  })
}

test.run()
