import { createStyle } from '../../../src/cli/output/style.ts'
import { viewTimeline } from '../../../src/cli/timeline/timeline-view.ts'
import type { Event } from '../../../src/domain/events.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/timeline-view')

const NEW_YEAR = 1704067200
const DAY = 86_400
const WIDE = { style: createStyle(false), width: 140 }

interface Told {
  readonly type: string
  readonly object: object
  readonly before?: object
  readonly at?: number
  readonly request?: string
}

/** An event as far as a timeline tells of it. */
function event({ type, object, before, at = NEW_YEAR, request }: Told): Event {
  return {
    id: 'evt_1',
    type,
    created: at,
    data: { object, ...(before ? { previous_attributes: before } : {}) },
    request: request === undefined ? null : { id: request, idempotency_key: null },
    sequence: 1,
  } as Event
}

const INVOICE = { id: 'in_1', object: 'invoice', status: 'open', total: 120_000, currency: 'eur' }
const PAYMENT = {
  id: 'py_1',
  object: 'payment',
  status: 'failed',
  amount: 120_000,
  currency: 'eur',
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '0341' } },
}

/** The words beside the one event of an object. */
function words(object: object, before?: object): string {
  const [, line = ''] = viewTimeline([event({ type: 't', object, ...(before ? { before } : {}) })], {
    ...WIDE,
    width: 400,
  }).split('\n')
  return line.replace(/^ {2}00:00:00 {2}t {2}\S+ */, '')
}

test('days head what happened on them, in columns, and the call is named once', () => {
  const story = [
    event({ type: 'invoice.created', object: { ...INVOICE, status: 'draft' }, request: 'req_1' }),
    event({ type: 'payment.created', object: PAYMENT, request: 'req_1' }),
    event({ type: 'invoice.sent', object: INVOICE, before: {}, at: NEW_YEAR + 45_296 }),
    event({
      type: 'invoice.payment_failed',
      object: { ...INVOICE, attempt_count: 1, next_payment_attempt: NEW_YEAR + 4 * DAY },
      before: { attempt_count: 0, next_payment_attempt: null },
      at: NEW_YEAR + DAY,
    }),
  ]
  assert.is(
    viewTimeline(story, WIDE),
    `2024-01-01
  00:00:00  invoice.created         in_1  draft, 1200.00 EUR, by req_1
  00:00:00  payment.created         py_1  1200.00 EUR, visa 0341
  12:34:56  invoice.sent            in_1
2024-01-02
  00:00:00  invoice.payment_failed  in_1  attempt_count 0 -> 1, next_payment_attempt - -> 2024-01-05
`,
  )
})

const MEANT: readonly (readonly [what: string, object: object, before: object, words: string])[] = [
  ['a state', { status: 'past_due' }, { status: 'active' }, 'status active -> past_due'],
  [
    'money in its currency',
    { currency: 'jpy', amount_refunded: 500 },
    { amount_refunded: 0 },
    'amount_refunded 0 JPY -> 500 JPY',
  ],
  [
    'moments to the minute',
    { due_date: NEW_YEAR + 3600, ends_at: NEW_YEAR + 3601 },
    { due_date: null, ends_at: NEW_YEAR + DAY },
    'due_date - -> 2024-01-01 01:00, ends_at 2024-01-02 -> 2024-01-01 01:00:01',
  ],
  [
    'no moment that is now',
    { paid_at: NEW_YEAR, status: 'paid' },
    { paid_at: null, status: 'open' },
    'status open -> paid',
  ],
  [
    'no error twice',
    {
      decline_code: 'insufficient_funds',
      failure_code: 'card_declined',
      failure_message: 'No.',
      outcome: { advice: 'x' },
    },
    { decline_code: null, failure_code: null, failure_message: null, outcome: { advice: null } },
    'decline_code - -> insufficient_funds',
  ],
  [
    'an error by its code',
    { failure_code: 'expired_card' },
    { failure_code: null },
    'failure_code - -> expired_card',
  ],
  ['no error that is over', { last_payment_error: null }, { last_payment_error: { code: 'x' } }, ''],
  [
    'where the buyer approves',
    { next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'http://x/3ds/py_1' } } },
    { next_action: null },
    'next_action.url - -> http://x/3ds/py_1',
  ],
  [
    'metadata by key',
    { metadata: { a: '1' } },
    { metadata: { b: '2' } },
    'metadata.b 2 -> -, metadata.a - -> 1',
  ],
]

for (const [what, object, before, expected] of MEANT) {
  test(`a change tells ${what}`, () => {
    assert.is(words({ id: 'x_1', object: 'thing', ...object }, before), expected)
  })
}

test('a new object is told by what it is', () => {
  assert.is(words({ id: 'cus_1', object: 'customer', email: 'ada@example.com' }), 'ada@example.com')
  assert.is(
    words({ id: 're_1', object: 'refund', status: 'pending', amount: 5, currency: 'eur', reason: null }),
    'pending, 0.05 EUR',
  )
  assert.is(words({ id: 'x_1', object: 'novelty' }), '')
})

test('where the terminal ends, it goes on below; a narrow one gets two lines', () => {
  const long = event({
    type: 'subscription.updated',
    object: { id: 'sub_1', object: 'subscription', description: 'b'.repeat(30), status: 'active' },
    before: { description: 'a'.repeat(30), status: 'pending' },
  })
  assert.is(
    viewTimeline([long], { ...WIDE, width: 100 }),
    `2024-01-01
  00:00:00  subscription.updated  sub_1  description ${'a'.repeat(30)} -> ${'b'.repeat(30)},
                                         status pending -> active
`,
  )
  assert.match(viewTimeline([long], { ...WIDE, width: 60 }), /sub_1\n {12}description a+ -> b+,\n {12}status/)
})

test('nothing is nothing', () => assert.is(viewTimeline([], WIDE), ''))

test('whoever wrote a name cannot reach the terminal', () => {
  const text = 'a\u001b[2J\nb\u202e'
  const hostile = { id: text, object: 'customer', email: text, name: text, metadata: { [text]: text } }
  const events = [
    event({ type: text, object: hostile, request: text }),
    event({ type: 'customer.updated', object: hostile, before: { name: 'x', metadata: {} } }),
  ]
  const shown = viewTimeline(events, { ...WIDE, width: 1000 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  assert.not.match(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  assert.is(shown.split('\n').length, 4, 'a day and two lines')
})

test.run()
