import type { CheckoutSession } from '../../../src/domain/sessions/checkout-sessions.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { describeTerms } from '../../../src/pages/view/terms.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, NOW, pathOf, tokenIn, VISA } from '../hosted-pages.ts'

const DAY = 86_400
const TRIAL = { trial_days: 14 } as const
const FREE = { items: [{ description: 'Free plan', price_data: { amount: 0 } }] }
const SENT = { collection_method: 'send_invoice', days_until_due: 14 } as const
const WITHOUT_CARD = { payment_method_collection: 'if_required' } as const

const test = suite('session-page trials')
const hosted = new HostedPages()

function termsText(session: CheckoutSession, now = NOW): string {
  const terms = describeTerms(session, now, negotiateLanguage('en-GB'))
  const { dueLabel, dueToday, schedule, button, consent } = terms
  return `${dueLabel} ${dueToday} | ${schedule} | ${button} | ${consent}`.replaceAll('\u00a0', ' ')
}

const CHARGED =
  'By subscribing you allow your card to be charged €1,200.00 every month until the subscription is canceled.'

/** terms, session, texts of the page */
const PAGES: readonly (readonly [string, object, object, string])[] = [
  [
    'with a card',
    TRIAL,
    {},
    `Total due today 0 | The trial is free until 17 March 2026. Your card is saved, and €1,200.00 is charged on that day, then every month. | Start trial | ${CHARGED}`,
  ],
  [
    'with a fixed end',
    { trial_end: NOW + DAY },
    {},
    `Total due today 0 | The trial is free until 4 March 2026. Your card is saved, and €1,200.00 is charged on that day, then every month. | Start trial | ${CHARGED}`,
  ],
  [
    'without a card',
    TRIAL,
    WITHOUT_CARD,
    'Due today 0 | The trial is free until 17 March 2026. After that, the subscription costs €1,200.00 every month. | Start trial | By subscribing you agree that the subscription costs €1,200.00 every month after the trial, until it is canceled.',
  ],
  [
    'whose invoices are sent',
    { ...TRIAL, ...SENT },
    {},
    'Due today 0 | The trial is free until 17 March 2026. The first invoice, for €1,200.00, is sent on that day, then every month. Each invoice is due within 14 days. | Start trial | By subscribing you agree to be invoiced €1,200.00 every month until the subscription is canceled.',
  ],
  [
    'of a free subscription',
    { ...TRIAL, ...FREE },
    {},
    'Total due today 0 | The trial lasts until 17 March 2026. Nothing is charged after it either: the total is €0.00. | Start trial | By subscribing you allow your card to be saved for the subscription, which renews every month until it is canceled.',
  ],
]

for (const [name, terms, fields, expected] of PAGES) {
  test(`the page of a trial ${name} says when it ends and what comes then`, async () => {
    assert.is(termsText(await hosted.checkout(terms, fields)), expected)
  })
}

test('the page charges today when the end of the trial has passed', async () => {
  const session = await hosted.checkout({ trial_end: NOW + DAY }, WITHOUT_CARD)
  assert.match(termsText(session, NOW + DAY), /^Total due today 120000 \| €1,200\.00 is charged today\./)
})

test('the texts of a trial have no placeholder left in any language', async () => {
  for (const [, terms, fields] of PAGES) {
    const session = await hosted.checkout(terms, fields)
    for (const tag of LANGUAGES) {
      const { schedule, button, consent } = describeTerms(session, NOW, negotiateLanguage(tag))
      assert.not.match(schedule + button + consent, /[{}]/, tag)
    }
  }
})

test('a trial without a card starts with one button', async () => {
  const path = pathOf(await hosted.checkout(TRIAL, WITHOUT_CARD))
  const { body } = await hosted.get(path)
  assert.not.match(body, 'name="number"')
  assert.match(body, 'No card is needed for the trial.')
  const done = await hosted.post(path, { form_token: tokenIn(body) })
  assert.equal([done.status, locationOf(done)], [303, `${path}/done`])
  const result = (await hosted.get(`${path}/done`)).body
  assert.match(result, 'Your trial has started, and nothing was charged today.')
  assert.match(result, 'Trial ends')
  assert.match(result, /March.17,.2026/)
  const { data } = await hosted.runtime.store.list('payment_methods', { limit: 1 })
  assert.equal(data, [])
})

test('a trial with a card saves the card, and declines one that cannot be saved', async () => {
  const path = pathOf(await hosted.checkout(TRIAL))
  const declined = await hosted.submit(path, card('4000000000000002'))
  assert.is(declined.status, 402)
  const done = await hosted.post(path, { ...VISA, form_token: tokenIn(declined.body) })
  assert.is(done.status, 303)
  assert.match((await hosted.get(path)).body, 'Already subscribed')
  const { data } = await hosted.runtime.store.list('payments', { limit: 1 })
  assert.equal(data, [])
})

test('asks for a card when the trial ended while its page was open', async () => {
  const own = new HostedPages()
  const path = pathOf(await own.checkout({ trial_end: NOW + 60 }, WITHOUT_CARD))
  const form_token = tokenIn((await own.get(path)).body)
  own.now = NOW + 60
  const asked = await own.post(path, { form_token })
  assert.is(asked.status, 422)
  assert.match(asked.body, 'name="number"')
  assert.match(asked.body, 'Pay €1,200.00 and subscribe')
  const paid = await own.post(path, { ...VISA, form_token: tokenIn(asked.body) })
  assert.is(paid.status, 303)
  assert.match((await own.get(path)).body, 'Already paid')
})

test.run()
