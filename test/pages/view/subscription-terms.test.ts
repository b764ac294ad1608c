import type { CheckoutSession } from '../../../src/domain/sessions/checkout-sessions.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { describeSubscriptionTerms, getNextPeriodStart } from '../../../src/pages/view/subscription-terms.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, NOW } from '../hosted-pages.ts'

const DAY = 86_400
const FREE = { items: [{ description: 'Free plan', price_data: { amount: 0 } }] }
const INVOICED = { collection_method: 'send_invoice' } as const
const SENT = { ...INVOICED, days_until_due: 14 } as const
const TRIAL = { trial_days: 14 } as const
const WITHOUT_CARD = { payment_method_collection: 'if_required' } as const

const test = suite('terms')
const hosted = new HostedPages()

interface TermsCase {
  readonly terms?: Parameters<HostedPages['checkout']>[0]
  readonly fields?: Parameters<HostedPages['checkout']>[1]
  /** The balance of the customer in minor units. */
  readonly balance?: number
  /** The label and the amount due today, the schedule and the button. */
  readonly expected: string
  /** The expected consent (default: not checked). */
  readonly consent?: string
}

function textsOf(session: CheckoutSession, { now = NOW, balance = 0 } = {}) {
  const terms = describeSubscriptionTerms(session, now, negotiateLanguage('en-GB'), {
    balance,
    duration: null,
  })
  const { trialPrice, dueLabel, dueToday, schedule, button, consent } = terms
  const text = [trialPrice, `${dueLabel} ${dueToday}`, schedule, button].filter(Boolean).join(' | ')
  return { text: text.replaceAll('\u00a0', ' '), consent: consent.replaceAll('\u00a0', ' ') }
}

const CHARGED =
  'By subscribing you allow your card to be charged €1,200.00 every month until the subscription is canceled.'

const CASES: Readonly<Record<string, TermsCase>> = {
  'a charge today when the subscription starts now': {
    expected:
      'Total due today 120000 | €1,200.00 is charged today. The next payment is on 3 April 2026, then every month. | Pay €1,200.00 and subscribe',
  },
  'a smaller charge when the customer has credit': {
    balance: -50_000,
    expected:
      'Total due today 70000 | €700.00 is charged today. The next payment is on 3 April 2026, then every month. | Pay €700.00 and subscribe',
  },
  'no charge when credit covers the amount': {
    balance: -130_000,
    expected:
      'Total due today 0 | Nothing is charged today: your credit covers the amount. Your card is saved. The next payment is on 3 April 2026, then every month. | Save card and subscribe',
  },
  'no invoice when credit covers the amount': {
    ...{ terms: INVOICED, balance: -130_000 },
    expected:
      'Due today 0 | Nothing is due today: your credit covers the amount. The next invoice is sent on 3 April 2026, then every month. Each invoice is due within 30 days. | Subscribe',
  },
  'a charge for the current period when the start is in the past': {
    terms: { start_date: NOW - 50 * DAY },
    expected:
      'Total due today 120000 | €1,200.00 is charged today for the period that began on 12 February 2026. The next payment is on 12 March 2026, then every month. | Pay €1,200.00 and subscribe',
  },
  'no charge today when the start is in the future': {
    terms: { start_date: NOW + 10 * DAY, interval: 'week', interval_count: 2 },
    expected:
      'Total due today 0 | Nothing is charged today. Your card is saved, and €1,200.00 is charged on 13 March 2026, then every 2 weeks. | Save card and subscribe',
  },
  'a saved card when the total is zero': {
    terms: { ...FREE, interval: 'day' },
    expected:
      'Total due today 0 | Nothing is charged: the total is €0.00. Your card is saved for the subscription, which renews daily. | Save card and subscribe',
    consent:
      'By subscribing you allow your card to be saved for the subscription, which renews daily until it is canceled.',
  },
  'that there is nothing to pay when the invoices are of zero': {
    terms: { ...FREE, ...INVOICED, interval: 'year' },
    expected:
      'Due today 0 | There is nothing to pay: the total is €0.00. The subscription renews every year. | Subscribe',
  },
  'an invoice now': {
    terms: SENT,
    expected:
      'First invoice 120000 | An invoice for €1,200.00 is sent to you by email now. The next one is sent on 3 April 2026, then every month. Each invoice is due within 14 days. | Subscribe',
  },
  'an invoice that is due immediately': {
    terms: { ...SENT, days_until_due: 0 },
    expected:
      'First invoice 120000 | An invoice for €1,200.00 is sent to you by email now. The next one is sent on 3 April 2026, then every month. Each invoice is due immediately. | Subscribe',
  },
  'an invoice at the start of the subscription': {
    terms: { ...SENT, start_date: NOW + 1 },
    expected:
      'Due today 0 | Nothing is due today. The first invoice, for €1,200.00, is sent on 3 March 2026, then every month. Each invoice is due within 14 days. | Subscribe',
  },
  'the end of a trial with a card': {
    terms: TRIAL,
    expected:
      'Free until 17 March 2026, then €1,200.00 every month | Total due today 0 | Nothing is charged today. Your card is saved, and €1,200.00 is charged on 17 March 2026, then every month. | Start trial',
    consent: CHARGED,
  },
  'a fixed end of a trial': {
    terms: { trial_end: NOW + DAY },
    expected:
      'Free until 4 March 2026, then €1,200.00 every month | Total due today 0 | Nothing is charged today. Your card is saved, and €1,200.00 is charged on 4 March 2026, then every month. | Start trial',
    consent: CHARGED,
  },
  'the end of a trial without a card': {
    ...{ terms: TRIAL, fields: WITHOUT_CARD },
    expected: 'Free until 17 March 2026, then €1,200.00 every month | Due today 0 | Start trial',
    consent:
      'By subscribing you agree that the subscription costs €1,200.00 every month after the trial, until it is canceled.',
  },
  'the end of a trial whose invoices are sent': {
    terms: { ...TRIAL, ...SENT },
    expected:
      'Free until 17 March 2026, then €1,200.00 every month | Due today 0 | Nothing is due today. The first invoice, for €1,200.00, is sent on 17 March 2026, then every month. Each invoice is due within 14 days. | Start trial',
    consent:
      'By subscribing you agree to be invoiced €1,200.00 every month until the subscription is canceled.',
  },
  'the end of a trial of a free subscription': {
    terms: { ...TRIAL, ...FREE },
    expected:
      'Total due today 0 | The trial lasts until 17 March 2026. Nothing is charged after it either: the total is €0.00. | Start trial',
    consent:
      'By subscribing you allow your card to be saved for the subscription, which renews every month until it is canceled.',
  },
}

for (const [what, { terms, fields, balance = 0, expected, consent }] of Object.entries(CASES))
  test(`the terms announce ${what}`, async () => {
    const texts = textsOf(await hosted.checkout(terms, fields), { balance })
    assert.is(texts.text, expected)
    if (consent !== undefined) assert.is(texts.consent, consent)
  })

test('the terms announce a charge today when the trial has already ended', async () => {
  const session = await hosted.checkout({ trial_end: NOW + DAY }, WITHOUT_CARD)
  const { text } = textsOf(session, { now: NOW + DAY })
  assert.match(text, /^Total due today 120000 \| €1,200\.00 is charged today\./)
})

test('the terms contain no charge or invoice amount of zero, in any language', async () => {
  for (const collection_method of ['charge_automatically', 'send_invoice'] as const) {
    const session = await hosted.checkout({ ...FREE, collection_method })
    for (const tag of LANGUAGES) {
      const { consent } = describeSubscriptionTerms(session, NOW, negotiateLanguage(tag))
      assert.not.match(consent, /\d/, tag)
    }
  }
})

test('the terms state the start of the period only when it was before today', async () => {
  for (const collection_method of ['charge_automatically', 'send_invoice'] as const) {
    const today = await hosted.checkout({ collection_method, start_date: NOW - 3600 })
    const earlier = await hosted.checkout({ collection_method, start_date: NOW - DAY })
    assert.not.match(textsOf(today).text, 'the period that began')
    assert.match(textsOf(earlier).text, 'for the period that began on 2 March 2026')
  }
})

test('the Japanese terms never have に after an interval', async () => {
  const ja = negotiateLanguage('ja')
  for (const interval of ['day', 'week', 'month', 'year'] as const) {
    for (const interval_count of [1, 3]) {
      for (const terms of [{}, { start_date: NOW + DAY }, { start_date: NOW - DAY }, FREE]) {
        for (const collection_method of ['charge_automatically', 'send_invoice'] as const) {
          const session = await hosted.checkout({ ...terms, interval, interval_count, collection_method })
          const { schedule, consent } = describeSubscriptionTerms(session, NOW, ja)
          // In Japanese, "every month" takes no に but "every 3 months" would, so no sentence may contain it.
          assert.not.match(schedule + consent, /(毎[日週月年]|ごと)に/)
        }
      }
    }
  }
  const monthly = describeSubscriptionTerms(await hosted.checkout(), NOW, ja).consent
  assert.match(monthly, '解約されるまで毎月の請求（€')
})

test('returns the start of the next billing period, or a future start date', async () => {
  const session = await hosted.checkout({ start_date: NOW - 1, interval: 'day' })
  assert.is(getNextPeriodStart(session, NOW), NOW - 1 + DAY)
  assert.is(getNextPeriodStart(await hosted.checkout({ start_date: NOW + 5 }), NOW), NOW + 5)
})

test.run()
