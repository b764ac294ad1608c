import { createStyle } from '../../../src/cli/output/style.ts'
import { formatTimeline } from '../../../src/cli/timeline/timeline-view.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { assert, suite } from '../../support/suite.ts'
import { eventOf } from '../../tui/test-screen.ts'

const test = suite('cli/timeline-view')

const NEW_YEAR = 1704067200
const DAY = 86_400
const WIDTH = 140

const event = (fields: Parameters<typeof eventOf>[1]) => eventOf(1, { created: NEW_YEAR, ...fields })

const INVOICE = { id: 'in_1', object: 'invoice', status: 'open', total: 120_000, currency: 'eur' }
const PAYMENT = {
  id: 'py_1',
  object: 'payment',
  status: 'failed',
  amount: 120_000,
  currency: 'eur',
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '0341' } },
}

function textOf(events: readonly Event[], width: number, isWide = false): string {
  return formatTimeline(events, { style: createStyle(false), width, isWide }).text
}

/** Returns the changes in the line of an event. */
function changesOf(object: object, before?: object): string {
  const [, line = ''] = textOf([event({ type: 't', object, ...(before ? { before } : {}) })], 400).split('\n')
  return line.replace(/^ {2}00:00:00 {2}t {2}\S+ */, '')
}

test('groups events by day, aligns columns, and prints a request id only for its first event', () => {
  const story = [
    event({ type: 'invoice.created', object: { ...INVOICE, status: 'draft' }, request: 'req_1' }),
    event({ type: 'payment.created', object: PAYMENT, request: 'req_1' }),
    event({ type: 'invoice.sent', object: INVOICE, before: {}, created: NEW_YEAR + 45_296 }),
    event({
      type: 'invoice.payment_failed',
      object: { ...INVOICE, attempt_count: 1, next_payment_attempt: NEW_YEAR + 4 * DAY },
      before: { attempt_count: 0, next_payment_attempt: null },
      created: NEW_YEAR + DAY,
    }),
  ]
  assert.is(
    textOf(story, WIDTH),
    `2024-01-01
  00:00:00  invoice.created         in_1  draft, 1200.00 EUR, by req_1
  00:00:00  payment.created         py_1  failed, 1200.00 EUR, Visa •••• 0341
  12:34:56  invoice.sent            in_1
2024-01-02
  00:00:00  invoice.payment_failed  in_1  attempt_count 0 -> 1, next_payment_attempt not set -> 2024-01-05
`,
  )
})

const CHANGES: readonly (readonly [what: string, object: object, before: object, words: string])[] = [
  ['a changed status', { status: 'past_due' }, { status: 'active' }, 'status active -> past_due'],
  [
    'amounts with their currency',
    { currency: 'jpy', amount_refunded: 500 },
    { amount_refunded: 0 },
    'amount_refunded 0 JPY -> 500 JPY',
  ],
  [
    'times to the minute, and seconds unless they are zero',
    { due_date: NEW_YEAR + 3600, ends_at: NEW_YEAR + 3601 },
    { due_date: null, ends_at: NEW_YEAR + DAY },
    'due_date not set -> 2024-01-01 01:00, ends_at 2024-01-02 -> 2024-01-01 01:00:01',
  ],
  [
    'changes without fields that contain the time of the event',
    { paid_at: NEW_YEAR, status: 'paid' },
    { paid_at: null, status: 'open' },
    'status open -> paid',
  ],
  [
    'a payment error only by its decline code',
    {
      decline_code: 'insufficient_funds',
      failure_code: 'card_declined',
      failure_message: 'No.',
      outcome: { advice: 'x' },
    },
    { decline_code: null, failure_code: null, failure_message: null, outcome: { advice: null } },
    'decline_code not set -> insufficient_funds',
  ],
  [
    'a payment error without a decline code by its failure code',
    { failure_code: 'expired_card' },
    { failure_code: null },
    'failure_code not set -> expired_card',
  ],
  [
    'a cleared error as an empty text',
    { last_payment_error: null },
    { last_payment_error: { code: 'x' } },
    '',
  ],
  [
    'a next action by the URL of its 3-D Secure page',
    { next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'http://x/3ds/py_1' } } },
    { next_action: null },
    'next_action.url not set -> http://x/3ds/py_1',
  ],
  [
    'metadata changes by key',
    { metadata: { a: '1' } },
    { metadata: { b: '2' } },
    'metadata.b 2 -> not set, metadata.a not set -> 1',
  ],
  [
    'a metadata key with dots and line breaks by its last part',
    { metadata: { 'a\nb.c': '1' } },
    { metadata: {} },
    'metadata.c not set -> 1',
  ],
]

for (const [what, object, before, expected] of CHANGES) {
  test(`formats ${what}`, () => {
    assert.is(changesOf({ id: 'x_1', object: 'thing', ...object }, before), expected)
  })
}

test('formats the only change of an update, even if it repeats another event', () => {
  const object = { id: 'in_1', object: 'invoice', auto_advance: false }
  const textFor = (type: string) => textOf([event({ type, object, before: { auto_advance: true } })], 400)
  assert.match(textFor('invoice.updated'), '  in_1  auto_advance true -> false\n')
  assert.match(textFor('invoice.paid'), '  in_1\n')
})

test('describes a new object by its main fields', () => {
  assert.is(changesOf({ id: 'cus_1', object: 'customer', email: 'ada@example.com' }), 'ada@example.com')
  assert.is(
    changesOf({ id: 're_1', object: 'refund', status: 'pending', amount: 5, currency: 'eur', reason: null }),
    'pending, 0.05 EUR',
  )
  assert.is(changesOf({ id: 'x_1', object: 'novelty' }), '')
})

test('wraps changes at the terminal width, and moves them below the id on a narrow terminal', () => {
  const long = event({
    type: 'subscription.updated',
    object: { id: 'sub_1', object: 'subscription', description: 'b'.repeat(30), status: 'active' },
    before: { description: 'a'.repeat(30), status: 'pending' },
  })
  assert.is(
    textOf([long], 100),
    `2024-01-01
  00:00:00  subscription.updated  sub_1  description ${'a'.repeat(30)} ->
                                         ${'b'.repeat(30)}, status pending -> active
`,
  )
  const below = `sub_1\n            description ${'a'.repeat(30)} ->\n            ${'b'.repeat(30)},\n            status`
  assert.ok(textOf([long], 60).includes(below))
})

test('shortens ids and cuts URLs on a narrow terminal, and prints both completely with --wide', () => {
  const id = 'in_RipYL46gr3zePGVPLnDh5EtF'
  const url = `http://127.0.0.1:4101/invoices/${id}`
  const finalized = event({
    type: 'invoice.finalized',
    object: { id, object: 'invoice', hosted_invoice_url: url },
    before: { hosted_invoice_url: null },
    request: 'req_0hrxvu29F8754wYp6Qyoq2RN',
  })
  assert.is(
    textOf([finalized], 60),
    `2024-01-01
  00:00:00  invoice.finalized  in_…5EtF
            hosted_invoice_url not set ->
            http://127.0.0.1:4101/invoices/in_RipYL46gr3zeP…
            by req_…q2RN
`,
  )
  assert.is(
    textOf([finalized], 60, true),
    `2024-01-01
  00:00:00  invoice.finalized  ${id}  hosted_invoice_url not set -> ${url}, by req_0hrxvu29F8754wYp6Qyoq2RN
`,
  )
})

test('prints the id of each event and the result of its deliveries after its changes', () => {
  const created = event({ type: 'invoice.created', object: INVOICE, request: 'req_1' })
  const view = { style: createStyle(false), width: WIDTH, isWide: false }
  const lineFor = (results: ReadonlyMap<string, string>) => formatTimeline([created], view, results).text
  assert.match(
    lineFor(new Map([[created.id, 'failed 500']])),
    `open, 1200.00 EUR, by req_1, ${created.id} failed 500\n`,
  )
  assert.match(lineFor(new Map()), `by req_1, ${created.id}\n`)
})

test('formats an empty list of events as an empty string', () => assert.is(textOf([], WIDTH), ''))

test('escapes control characters in event types, ids and values', () => {
  const text = 'a\u001b[2J\nb\u202e'
  const hostile = { id: text, object: 'customer', email: text, name: text, metadata: { [text]: text } }
  const events = [
    event({ type: text, object: hostile, request: text }),
    event({ type: 'customer.updated', object: hostile, before: { name: 'x', metadata: {} } }),
  ]
  const shown = textOf(events, 1000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  assert.not.match(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  assert.is(shown.split('\n').length, 4, 'a day and two lines')
})

test('shows only the changed items of a subscription, with their prices', () => {
  const item = (id: string, description: string, amount: number, more: object = {}) => ({
    id,
    description,
    type: 'other',
    price_data: { amount, currency: 'eur', tax_percent: 0 },
    quantity: 1,
    ...more,
  })
  const plan = item('si_1', 'Plan', 1000)
  const support = item('si_2', 'Support', 500)
  const change = (before: readonly object[], after: readonly object[]) =>
    changesOf({ id: 'sub_1', object: 'subscription', currency: 'eur', items: after }, { items: before })
  const upgrade = item('si_1', 'Plan', 9000)
  assert.is(change([plan, support], [upgrade, support]), 'items Plan 10.00 EUR -> Plan 90.00 EUR')
  assert.is(change([plan, support], [plan]), 'items Support 5.00 EUR -> -')
  const taxed = { price_data: { amount: 1000, currency: 'eur', tax_percent: 19 }, quantity: 3 }
  assert.is(
    change([plan], [item('si_1', 'Plan', 1000, taxed), support]),
    'items Plan 10.00 EUR -> Plan 3 × 10.00 EUR + 19 % tax and Support 5.00 EUR',
  )
  assert.match(change([plan], [item('si_1', 'Plan', 1000, { type: 'rent' })]), '"type":"rent"')
})

test('shows the total and the description of an invoice item', () => {
  const item = { id: 'ii_1', object: 'invoice_item', currency: 'eur', total: -595, description: 'Plan' }
  assert.is(changesOf(item), '-5.95 EUR, Plan')
})

test.run()
