import type { CheckoutSession } from '../../../src/domain/sessions/checkout-sessions.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { describeTerms, nextPeriodStart } from '../../../src/pages/view/terms.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, NOW } from '../hosted-pages.ts'

const DAY = 86_400

const test = suite('terms')
const hosted = new HostedPages()

function termsText(session: CheckoutSession, balance = 0): string {
  const language = negotiateLanguage('en-GB')
  const { dueLabel, dueToday, schedule, button } = describeTerms(session, NOW, language, balance)
  return `${dueLabel} ${dueToday} | ${schedule} | ${button}`.replaceAll('\u00a0', ' ')
}

test('the terms announce a charge today when the subscription starts now', async () => {
  assert.is(
    termsText(await hosted.checkout()),
    'Total due today 120000 | €1,200.00 is charged today. The next payment is on 3 April 2026, then every month. | Pay €1,200.00 and subscribe',
  )
})

test('the terms announce a smaller charge, or none, when the customer has credit', async () => {
  const session = await hosted.checkout()
  assert.is(
    termsText(session, -50_000),
    'Total due today 70000 | €700.00 is charged today. The next payment is on 3 April 2026, then every month. | Pay €700.00 and subscribe',
  )
  assert.is(
    termsText(session, -130_000),
    'Total due today 0 | Nothing is charged today: your credit covers the amount. Your card is saved. The next payment is on 3 April 2026, then every month. | Save card and subscribe',
  )
  assert.is(
    termsText(await hosted.checkout({ collection_method: 'send_invoice' }), -130_000),
    'Due today 0 | Nothing is due today: your credit covers the amount. The next invoice is sent on 3 April 2026, then every month. Each invoice is due within 30 days. | Subscribe',
  )
})

test('the terms announce a charge for the current period when the start is in the past', async () => {
  assert.is(
    termsText(await hosted.checkout({ start_date: NOW - 50 * DAY })),
    'Total due today 120000 | €1,200.00 is charged today for the period that began on 12 February 2026. The next payment is on 12 March 2026, then every month. | Pay €1,200.00 and subscribe',
  )
})

test('the terms announce no charge today when the start is in the future', async () => {
  assert.is(
    termsText(await hosted.checkout({ start_date: NOW + 10 * DAY, interval: 'week', interval_count: 2 })),
    'Total due today 0 | Nothing is charged today. Your card is saved, and €1,200.00 is charged on 13 March 2026, then every 2 weeks. | Save card and subscribe',
  )
})

test('the terms announce that the card is saved when the total is zero', async () => {
  const free = { items: [{ description: 'Free plan', price_data: { amount: 0 } }], interval: 'day' as const }
  assert.is(
    termsText(await hosted.checkout(free)),
    'Total due today 0 | Nothing is charged: the total is €0.00. Your card is saved for the subscription, which renews daily. | Save card and subscribe',
  )
})

test('the terms mention no charge or invoice of zero, in any language', async () => {
  const free = { items: [{ description: 'Free plan', price_data: { amount: 0 } }], interval: 'year' as const }
  for (const collection_method of ['charge_automatically', 'send_invoice'] as const) {
    const session = await hosted.checkout({ ...free, collection_method })
    for (const tag of LANGUAGES) {
      const { consent } = describeTerms(session, NOW, negotiateLanguage(tag))
      assert.not.match(consent, /\d/, tag)
    }
  }
  const saving = describeTerms(await hosted.checkout(free), NOW, negotiateLanguage('en')).consent
  assert.is(
    saving,
    'By subscribing you allow your card to be saved for the subscription, which renews every year until it is canceled.',
  )
  assert.is(
    termsText(await hosted.checkout({ ...free, collection_method: 'send_invoice' })),
    'Due today 0 | There is nothing to pay: the total is €0.00. The subscription renews every year. | Subscribe',
  )
})

test('the terms announce an invoice now or at the start of the subscription', async () => {
  const sent = { collection_method: 'send_invoice', days_until_due: 14 } as const
  assert.is(
    termsText(await hosted.checkout(sent)),
    'First invoice 120000 | An invoice for €1,200.00 is sent to you by email now. The next one is sent on 3 April 2026, then every month. Each invoice is due within 14 days. | Subscribe',
  )
  assert.is(
    termsText(await hosted.checkout({ ...sent, start_date: NOW + 1 })),
    'Due today 0 | Nothing is due today. The first invoice, for €1,200.00, is sent on 3 March 2026, then every month. Each invoice is due within 14 days. | Subscribe',
  )
  assert.match(termsText(await hosted.checkout({ ...sent, days_until_due: 0 })), /is due immediately\./)
})

test('the terms mention the start of the period only when it was before today', async () => {
  for (const collection_method of ['charge_automatically', 'send_invoice'] as const) {
    const today = await hosted.checkout({ collection_method, start_date: NOW - 3600 })
    const earlier = await hosted.checkout({ collection_method, start_date: NOW - DAY })
    assert.not.match(termsText(today), 'the period that began')
    assert.match(termsText(earlier), 'for the period that began on 2 March 2026')
  }
})

test('the terms contain the interval in every Japanese sentence', async () => {
  const ja = negotiateLanguage('ja')
  const free = { items: [{ description: 'Free plan', price_data: { amount: 0 } }] }
  for (const interval of ['day', 'week', 'month', 'year'] as const) {
    for (const interval_count of [1, 3]) {
      for (const terms of [{}, { start_date: NOW + DAY }, { start_date: NOW - DAY }, free]) {
        for (const collection_method of ['charge_automatically', 'send_invoice'] as const) {
          const session = await hosted.checkout({ ...terms, interval, interval_count, collection_method })
          const { schedule, consent } = describeTerms(session, NOW, ja)
          // In Japanese, "every month" takes no に but "every 3 months" would, so no sentence may contain it.
          assert.not.match(schedule + consent, /(毎[日週月年]|ごと)に/)
        }
      }
    }
  }
  const monthly = describeTerms(await hosted.checkout(), NOW, ja).consent
  assert.match(monthly, '解約されるまで毎月の請求（€')
})

test('returns the next billing period after the anchor', async () => {
  const session = await hosted.checkout({ start_date: NOW - 1, interval: 'day' })
  assert.is(nextPeriodStart(session, NOW), NOW - 1 + DAY)
  assert.is(nextPeriodStart(await hosted.checkout({ start_date: NOW + 5 }), NOW), NOW + 5)
})

test.run()
