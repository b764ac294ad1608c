import { invoiceItems, payments, subscriptions } from '../../api/index.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import {
  type CustomerScenario,
  openCustomerScenario,
  type ScenarioCustomer,
  type SubscriptionSaleTerms,
} from './customer-scenario.ts'
import { type GradeConfig, listSaleTypes } from './grade-config.ts'
import type { ClassResult } from './grade-result.ts'
import { createStateChecks, type ScenarioStepCause } from './state-checks.ts'
import { evaluateStateField, MINOR_UNITS_FIX } from './state-findings.ts'

/** The subscribers of the scenario; the subscription of each ends differently. */
const SUBSCRIBERS = {
  renews: { amount: 1500, quantity: 3, taxPercent: 19, card: 'visa' },
  cancels: { amount: 1900, card: 'visa' },
  recovers: { amount: 2100, card: 'renewal_no_funds' },
  retries: { amount: 2300, card: 'renewal_flaky' },
  exhausts: { amount: 2500, card: 'renewal_no_funds', description: 'Café Zoë' },
  trials: { amount: 2900, card: 'visa', trialDays: 14 },
  'leaves-trial': { amount: 3100, card: 'visa', trialDays: 14 },
  'trial-unpaid': { amount: 3300, card: 'renewal_no_funds', trialDays: 14 },
  'first-declined': { amount: 3500, card: 'declined' },
  debit: { amount: 3700, card: 'sepa_debit' },
  'debit-fails': { amount: 3900, card: 'sepa_debit_fails' },
} as const satisfies Readonly<Record<string, SubscriptionSaleTerms>>

const SUCCESS_ONLY =
  'Give access and count money only after the payment: on payment.succeeded or invoice.paid, never when an object is created or a payment fails.'
const CAPTURED =
  'Count payment_session.completed only if payment_status is paid. Better: add amount_captured of each payment.succeeded.'
const BY_STATUS =
  'Store the status of the subscription with each subscription event. Give access from invoice.paid on. Revoke access when the subscription is canceled, unpaid or paused, not when its end is announced.'
const RECOVERY =
  'Give access again on invoice.paid or subscription.recovered, and after each new subscription.'
const ADD =
  'Add amount_captured of each payment.succeeded, or amount_paid of each invoice.paid, once: also of renewals, prorations and invoices that credit pays in part.'
const RAW_BODY = 'Verify the signature of the bytes before you parse the body. Store texts as UTF-8.'
const REFUND =
  'On payment.refunded, store amount_captured - amount_refunded of the payment. amount_refunded is the total of all its refunds.'

const STEPS = {
  created: ['created', 'A new customer counts as a paying customer.', SUCCESS_ONLY],
  declined: ['first payment declined', 'A declined payment counts as a purchase.', SUCCESS_ONLY],
  paid: ['paid', 'The amount of a payment is converted or counted wrongly.', MINOR_UNITS_FIX],
  subscribed: ['subscribed', 'The first invoice is counted wrongly, or gives no access.', ADD],
  accented: ['subscribed', 'An event that contains a letter such as é is lost.', RAW_BODY],
  trial: ['started a trial', 'A free trial counts as paid, or gives no access.', BY_STATUS],
  debited: ['paid by debit, still processing', 'A debit without an outcome counts as paid.', SUCCESS_ONLY],
  settled: ['the debit succeeded', 'A debit that succeeds days later is not recorded.', ADD],
  returned: ['the debit failed', 'A debit that fails days later counts as paid.', SUCCESS_ONLY],
  reserved: ['only reserved, not captured', 'An amount that is only reserved counts as paid.', CAPTURED],
  released: ['the reservation was canceled', 'A reservation counts as paid after its end.', CAPTURED],
  refunded: ['a part was refunded', 'A partial refund is ignored, or counts as a full refund.', REFUND],
  again: ['another part was refunded', 'The total of all refunds counts as one refund.', REFUND],
  repaid: ['paid twice more, the same amount', 'Not every payment is added.', ADD],
  card: ['replaced the card', 'A new card changes the access or the paid amount.', BY_STATUS],
  ending: ['cancels at period end', 'Access ends with the request to cancel.', BY_STATUS],
  reminded: ['trial ends in 3 days', 'A reminder counts as the end of the trial.', BY_STATUS],
  converted: ['trial ended and was paid', 'The payment after a trial is not recorded.', ADD],
  left: ['trial ended, canceled', 'Access stays after a trial that was canceled.', BY_STATUS],
  renewed: ['renewed', 'A renewal is not recorded, or access ends with the first period.', ADD],
  ended: ['canceled at period end', 'Access stays after the end of a canceled period.', BY_STATUS],
  failed: ['renewal declined', 'A declined renewal counts as paid.', SUCCESS_ONLY],
  recovered: ['the open invoice was paid', 'Access or money does not return after a decline.', RECOVERY],
  exhausted: ['last retry declined', 'Access stays when all retries were declined.', BY_STATUS],
  resubscribed: ['subscribed again', 'A second subscription gives no access, or does not count.', RECOVERY],
  upgraded: ['plan changed', 'The proration of a plan change is counted wrongly.', ADD],
  credited: ['renewed, credit paid a part', 'The total of an invoice is counted, not the paid amount.', ADD],
  canceled: ['canceled at once', 'Access stays after an immediate cancellation.', BY_STATUS],
} as const satisfies Readonly<Record<string, ScenarioStepCause>>

type Checks = ReturnType<typeof createStateChecks>
type Steps = Readonly<Record<string, ScenarioStepCause>>

/**
 * Runs purchases of customers on a test clock, and compares the state of the app with the state of paycli after each
 * step.
 */
export async function gradeMoneyAndLife(run: ScenarioRun, config: GradeConfig): Promise<ClassResult[]> {
  const scenario = await openCustomerScenario(run, config)
  const checks = createStateChecks(scenario, config)
  const sells = listSaleTypes(config)
  const payers = sells.includes('payments') ? ['pays', 'pays-yen', 'declined', 'reserves'] : []
  for (const role of payers) await scenario.addCustomer(role, 'payments')
  const subscribers = sells.includes('subscriptions') ? Object.keys(SUBSCRIBERS) : []
  for (const role of subscribers) await scenario.addCustomer(role, 'subscriptions')
  await checks.check(Object.fromEntries(scenario.customers.map(({ role }) => [role, STEPS.created])))
  if (payers.length > 0) await performPayments(scenario, checks)
  if (subscribers.length > 0) await performSubscriptions(scenario, checks)
  return [
    evaluateStateField('paid', 'money', checks, config),
    evaluateStateField('access', 'life', checks, config),
  ]
}

function customerOf({ customers }: CustomerScenario, role: string): ScenarioCustomer {
  const found = customers.find((one) => one.role === role)
  if (found === undefined) throw new Error(`there is no customer ${role}`)
  return found
}

async function performPayments(scenario: CustomerScenario, { check }: Checks): Promise<void> {
  const [pays, yen] = [customerOf(scenario, 'pays'), customerOf(scenario, 'pays-yen')]
  const declined = customerOf(scenario, 'declined')
  await scenario.pay(declined, 2450, { card: 'declined' })
  const reserved = await scenario.pay(customerOf(scenario, 'reserves'), 2750, { capture_method: 'manual' })
  await check({ declined: STEPS.declined, reserves: STEPS.reserved })
  const [payment, yenPayment] = [
    await scenario.pay(pays, 1999),
    await scenario.pay(yen, 5000, { currency: 'jpy' }),
  ]
  await check({ pays: STEPS.paid, 'pays-yen': STEPS.paid })
  await scenario.pay(declined, 1000)
  await scenario.pay(declined, 1000)
  await scenario.refund(payment, 500)
  await scenario.refund(yenPayment, 1200)
  await scenario.run.client.call(payments.cancel, { id: reserved ?? '' })
  const refunded = { pays: STEPS.refunded, 'pays-yen': STEPS.refunded }
  await check({ ...refunded, declined: STEPS.repaid, reserves: STEPS.released })
  await scenario.refund(payment, 250)
  await check({ pays: STEPS.again })
}

async function performSubscriptions(scenario: CustomerScenario, { check }: Checks): Promise<void> {
  const { client } = scenario.run
  const ids: Record<string, string> = {}
  for (const [role, plan] of Object.entries<SubscriptionSaleTerms>(SUBSCRIBERS))
    ids[role] = (await scenario.subscribe(customerOf(scenario, role), plan)) ?? ''
  const first = Object.entries<SubscriptionSaleTerms>(SUBSCRIBERS).map(
    ([role, { trialDays, card, description }]): [string, ScenarioStepCause] => {
      if (card === 'declined') return [role, STEPS.declined]
      if (card.startsWith('sepa_debit')) return [role, STEPS.debited]
      if (description !== undefined) return [role, STEPS.accented]
      return [role, trialDays === undefined ? STEPS.subscribed : STEPS.trial]
    },
  )
  await check(Object.fromEntries(first))
  const steps = async (time: number, happened: Steps) => {
    await scenario.advanceTo(time)
    await check(happened)
  }
  const update = (role: string, params: object) =>
    client.call(subscriptions.update, { id: ids[role] ?? '', ...params })
  const periodEnd = async () => {
    const { current_period_end } = await client.call(subscriptions.retrieve, { id: ids['renews'] ?? '' })
    return Number(current_period_end)
  }
  const month = await periodEnd()
  await update('cancels', { cancel_at_period_end: true })
  await update('leaves-trial', { cancel_at_period_end: true })
  await scenario.replaceCard(customerOf(scenario, 'renews'))
  await check({ cancels: STEPS.ending, 'leaves-trial': STEPS.ending, renews: STEPS.card })
  await steps(scenario.daysAfterStart(3), { debit: STEPS.settled, 'debit-fails': STEPS.returned })
  await steps(scenario.daysAfterStart(11), {
    trials: STEPS.reminded,
    'leaves-trial': STEPS.reminded,
    'trial-unpaid': STEPS.reminded,
  })
  await steps(scenario.daysAfterStart(14), {
    ...{ trials: STEPS.converted, 'leaves-trial': STEPS.left, 'trial-unpaid': STEPS.failed },
  })
  const failed = { recovers: STEPS.failed, retries: STEPS.failed, exhausts: STEPS.failed }
  // The retries after the trial end on day 29, which may be before or after the end of the month.
  const exhausted = { 'trial-unpaid': STEPS.exhausted }
  await steps(month, { renews: STEPS.renewed, cancels: STEPS.ended, ...failed, ...exhausted })
  await scenario.replaceCard(customerOf(scenario, 'recovers'))
  await check({ recovers: STEPS.recovered })
  await steps(month + 4 * 86_400, { retries: STEPS.recovered, ...exhausted })
  await scenario.subscribe(customerOf(scenario, 'cancels'), SUBSCRIBERS.cancels)
  const { items } = await client.call(subscriptions.retrieve, { id: ids['renews'] ?? '' })
  const upgrade = [{ id: items[0]?.id ?? '', price_data: { amount: 2000 } }]
  await update('renews', { items: upgrade, proration_behavior: 'always_invoice' })
  await check({ cancels: STEPS.resubscribed, renews: STEPS.upgraded })
  await steps(month + 17 * 86_400, { exhausts: STEPS.exhausted })
  const credit = { subscription: ids['renews'] ?? '', description: 'Goodwill', unit_amount: -9000 }
  await client.call(invoiceItems.create, credit)
  await steps(await periodEnd(), { renews: STEPS.credited })
  await steps(await periodEnd(), { renews: STEPS.credited })
  await client.call(subscriptions.cancel, { id: ids['renews'] ?? '' })
  await check({ renews: STEPS.canceled })
}

/** Performs the short scenario of the runs with faults. It never waits for the app, because faults hold deliveries. */
export async function runShortScenario(scenario: CustomerScenario, config: GradeConfig) {
  const sells = listSaleTypes(config)
  if (sells.includes('payments')) {
    const payment = await scenario.pay(await scenario.addCustomer('pays', 'payments'), 1999)
    await scenario.refund(payment, 500)
  }
  if (!sells.includes('subscriptions')) return
  const roles = ['renews', 'cancels'] as const
  for (const role of roles) {
    const id = await scenario.subscribe(await scenario.addCustomer(role, 'subscriptions'), SUBSCRIBERS[role])
    const ending = { id: id ?? '', cancel_at_period_end: true }
    if (role === 'cancels') await scenario.run.client.call(subscriptions.update, ending)
  }
  await scenario.advanceTo(scenario.daysAfterStart(32))
  await scenario.advanceTo(scenario.daysAfterStart(36))
}
