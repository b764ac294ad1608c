import { renderJson } from '../../../src/cli/output/output.ts'
import { noteFor, renderEntryFields, renderResponse } from '../../../src/cli/output/render-response.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const TEXT = { format: 'text', fields: [], style: createStyle(false) } as const
const JSON_FORM = { ...TEXT, format: 'json' } as const

const SESSION = {
  id: 'cks_1',
  object: 'checkout_session',
  created: 1704067200,
  livemode: false,
  status: 'open',
  currency: 'eur',
  payment_method_types: ['card'],
  subscription_data: {
    interval_count: 1,
    start_date: null,
    items: [
      {
        description: 'Rent',
        price_data: { amount: 1250, currency: 'jpy', tax_percent: 20 },
        amount_tax: 250,
      },
    ],
    metadata: {},
  },
  amount_total: 120000,
  metadata: { amount: '12', 'a b': 'two\nlines' },
}

const LIST = {
  object: 'list',
  url: '/v1/customers',
  data: [
    { id: 'cus_2', object: 'customer', email: 'b@example.com', name: null, created: 1704067201 },
    { id: 'cus_1', object: 'customer', email: 'ada@example.com', name: 'Ada', created: 1704067200 },
  ],
  has_more: true,
}

const fields = suite('fields of stream entries')

fields('prints an empty line for a field that a stream entry does not have', () => {
  assert.is(
    renderEntryFields(SESSION, ['id', 'amount_total.x', 'metadata.none', 'livemode']),
    'cks_1\n\n\nfalse\n',
  )
  assert.is(renderEntryFields(SESSION, ['payment_method_types[]']), 'card\n')
})

fields.run()

const objects = suite('objects on a terminal')

objects('prints one line per field, with the raw and the formatted value of amounts and timestamps', () => {
  assert.is(
    renderResponse(SESSION, TEXT),
    `id                                                 cks_1
object                                             checkout_session
created                                            1704067200 (2024-01-01T00:00:00Z)
livemode                                           false
status                                             open
currency                                           eur
payment_method_types                               card
subscription_data.interval_count                   1
subscription_data.start_date                       -
subscription_data.items[0].description             Rent
subscription_data.items[0].price_data.amount       1250 (1250 JPY)
subscription_data.items[0].price_data.currency     jpy
subscription_data.items[0].price_data.tax_percent  20
subscription_data.items[0].amount_tax              250 (2.50 EUR)
subscription_data.metadata                         -
amount_total                                       120000 (1200.00 EUR)
metadata.amount                                    12
metadata.a b                                       two\\nlines
`,
  )
})

objects('prints an amount in an unknown currency as a number', () => {
  assert.is(renderResponse({ amount: 5, currency: 'xyz' }, TEXT), 'amount    5\ncurrency  xyz\n')
})

objects('prints deeply nested values as JSON', () => {
  let value: object = { end: 1 }
  for (let depth = 0; depth < 20; depth += 1) value = { n: value }
  assert.match(renderResponse(value, TEXT), /^n(\.n){7} {2}\{"n":.*\n$/)
})

objects.run()

const lists = suite('lists on a terminal')

lists('prints a list as a table with the columns of its object type', () => {
  assert.is(
    renderResponse(LIST, TEXT),
    `id     email            name  created
cus_2  b@example.com    -     2024-01-01T00:00:01Z
cus_1  ada@example.com  Ada   2024-01-01T00:00:00Z
`,
  )
})

lists('formats amounts, lists and inner fields in table cells', () => {
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'customer.created',
    data: { object: { id: 'cus_1' } },
    created: 0,
  }
  assert.match(
    renderResponse({ ...LIST, data: [event] }, TEXT),
    /^id +type +object +created\nevt_1 +customer\.created +cus_1 /,
  )
  const session = { id: 'p', object: 'payment_session', status: 'open', amount: 1250, currency: 'eur' }
  assert.match(renderResponse({ ...LIST, data: [session] }, TEXT), / 12\.50 EUR /)
  const endpoint = { id: 'we', object: 'webhook_endpoint', enabled_events: ['a', 'b'] }
  assert.match(renderResponse({ ...LIST, data: [endpoint] }, TEXT), / a, b\n$/)
  assert.match(
    renderResponse({ ...LIST, data: [{ id: 'x', object: 'novelty' }] }, TEXT),
    /^id +object +created\nx +novelty +-\n$/,
  )
})

lists('prints the decline code or failure code in one column', () => {
  const payment = {
    object: 'payment',
    status: 'failed',
    amount: 5,
    currency: 'eur',
    customer: 'cus_1',
    created: 0,
  }
  const rows = [
    { ...payment, id: 'py_3', failure_code: 'card_declined', decline_code: 'insufficient_funds' },
    { ...payment, id: 'py_2', failure_code: 'expired_card', decline_code: null },
    { ...payment, id: 'py_1', status: 'succeeded', failure_code: null, decline_code: null },
  ]
  const [head = '', ...lines] = renderResponse({ ...LIST, data: rows }, TEXT).split('\n')
  const at = head.indexOf('why')
  const why = lines.slice(0, 3).map((line) => line.slice(at).split(' ')[0])
  assert.equal(why, ['insufficient_funds', 'expired_card', '-'])
})

lists('prints lists of refunds and test clocks with their own columns', () => {
  const refund = {
    id: 're_1',
    object: 'refund',
    status: 'pending',
    amount: 5,
    currency: 'eur',
    payment: 'py_1',
  }
  assert.match(renderResponse({ ...LIST, data: [refund] }, TEXT), / 0\.05 EUR +- +py_1 /)
  const clock = { id: 'clock_1', object: 'test_clock', name: 'Year', frozen_time: 1704067200 }
  assert.match(
    renderResponse({ ...LIST, data: [clock] }, TEXT),
    /^id +name +status +frozen time +created\nclock_1 +Year +- +2024-01-01T00:00:00Z /,
  )
})

lists('prints no output for an empty list, and a note about the result', () => {
  const empty = { ...LIST, data: [], has_more: false }
  assert.is(renderResponse(empty, TEXT), '')
  assert.is(noteFor(empty), 'No results.')
  assert.is(noteFor(LIST), 'More results: --starting-after cus_1')
  assert.is(noteFor({ ...LIST, has_more: false }), null)
  assert.is(noteFor(SESSION), null)
  const recovery = { object: 'webhook_recovery', resent: 0, has_more: false }
  assert.is(noteFor(recovery), 'No missed deliveries found.')
  assert.is(noteFor({ ...recovery, resent: 1 }), null)
})

lists.run()

const data = suite('data for programs')

data('prints the response as JSON', () => {
  assert.is(renderResponse(LIST, JSON_FORM), `${JSON.stringify(LIST, null, 2)}\n`)
})

data('prints raw field values, one per line', () => {
  const fields = [
    'id',
    'amount_total',
    'subscription_data.start_date',
    'payment_method_types',
    'metadata[a b]',
  ]
  assert.is(renderResponse(SESSION, { ...TEXT, fields }), 'cks_1\n120000\n\n["card"]\ntwo\nlines\n')
  assert.is(renderResponse(LIST, { ...JSON_FORM, fields: ['data[].id'] }), 'cus_2\ncus_1\n')
})

data('prints the id of the response when a requested field does not exist', () => {
  const { message, hint } = usageErrorFrom(() => renderResponse(SESSION, { ...TEXT, fields: ['nme'] }))
  assert.is(message, "Unknown field 'nme': The response has no 'nme'. The response was cks_1.")
  assert.match(hint ?? '', /^Fields: .* See the whole object: paycli get cks_1$/)
})

data('prints no fields when one of the requested fields does not exist', () => {
  assert.throws(() => renderResponse(SESSION, { ...TEXT, fields: ['id', 'nme'] }), /Unknown field 'nme'/)
})

data.run()

/** Names that attack the terminal on which they are listed. */
const HOSTILE: readonly string[] = [
  '\u001b[2J\u001b[H',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001bP$q"p\u001b\\',
  '\u009b31m',
  '\u009d8;;x\u009c',
  'over\rwritten',
  'back\b\b\b\bspace',
  '\u0000\u0007\u000b\u000c\u007f',
  'invoice\u202efdp.exe',
  '\u2066isolate\u2069 \u200emark\u200f \u061c',
  'zero\u200bwidth\u200c\u200d\u2060\ufeff',
  'line\u2028paragraph\u2029',
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern of characters that must not occur
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

const hostile = suite('hostile text')

for (const text of HOSTILE) {
  hostile(`escapes ${JSON.stringify(text)} in every output format`, () => {
    const customer = {
      id: text,
      object: 'customer',
      email: text,
      name: text,
      created: 0,
      metadata: { [text]: text },
    }
    const list = { ...LIST, data: [customer] }
    const style = createStyle(false)
    const fields = ['name', 'metadata']
    const forms = [
      renderResponse(customer, TEXT),
      renderResponse(list, TEXT),
      renderResponse(customer, JSON_FORM),
      renderResponse(customer, { format: 'text', fields, style }),
    ]
    for (const form of forms) assert.not.match(form, HARMFUL)
    assert.is(renderResponse(list, TEXT).split('\n').length, 3, 'one header and one row')
    assert.equal(JSON.parse(renderJson(customer)), customer, 'the JSON value is unchanged')
  })
}

hostile.run()
