import { createHyperlinkFormatter } from '../../../src/cli/output/hyperlink.ts'
import { renderJson } from '../../../src/cli/output/output.ts'
import { renderJsonOrFields } from '../../../src/cli/output/render-response.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { formatResponse } from '../../../src/cli/views/text-view.ts'
import { assert, suite } from '../../support/suite.ts'

const NOW = 1_704_067_380
const VIEW = {
  style: createStyle(false),
  link: createHyperlinkFormatter(false),
  width: 100,
  isWide: false,
  now: NOW,
  names: new Map<string, string>(),
  sandbox: null,
}
const WIDE = { ...VIEW, isWide: true }

const CUSTOMER = 'cus_xjIA32giWSPFtJZicI4kuHF4'
const PAYMENT = {
  id: 'py_TAyqTHqx3Srz7XZEelzMgcFl',
  object: 'payment',
  created: NOW - 180,
  livemode: false,
  status: 'succeeded',
  amount: 4675,
  currency: 'eur',
  customer: CUSTOMER,
  invoice: null,
  payment_method_details: { type: 'card', card: { brand: 'visa', three_d_secure: null } },
  metadata: { order: '1042' },
}
const INVOICE = {
  id: 'in_3crAKr2eRL90ep7yrvojykAj',
  object: 'invoice',
  total: 120000,
  currency: 'eur',
  status: 'paid',
  lines: [
    {
      id: 'il_hm3BPImascdsMcz04CeY77W9',
      description: 'Rent',
      amount: 120000,
      period: { start: 0, end: 86400 },
    },
  ],
  test_clock: 'clock_9pjJQ9X0nqlCzyToKcJuZznW',
  created: 1_704_067_200,
}

const list = (...data: object[]) => ({ object: 'list', data, has_more: false })
const textOf = (response: object, view = VIEW) => formatResponse(response, view).text

const objects = suite('objects on a terminal')

objects('prints a headline, grouped fields and the fields without a value', () => {
  const names = new Map([[CUSTOMER, 'Ada Lovelace']])
  assert.is(
    textOf(PAYMENT, { ...VIEW, names }),
    `46.75 EUR · succeeded · Ada Lovelace · 3 min ago
payment py_TAyqTHqx3Srz7XZEelzMgcFl

  status    succeeded
  amount    46.75 EUR
  currency  eur

  customer  cus_xjIA32giWSPFtJZicI4kuHF4  (Ada Lovelace)

  created  2024-01-01T00:00:00Z  (3 min ago)

payment_method_details
  type  card

payment_method_details.card
  brand  visa

metadata
  order  1042

not set
  invoice, payment_method_details.card.three_d_secure
`,
  )
})

objects('prints lists of objects as tables, and times of test clocks as absolute times', () => {
  assert.is(
    textOf(INVOICE),
    `1200.00 EUR · paid · 2024-01-01 00:00
invoice in_3crAKr2eRL90ep7yrvojykAj

  total     1200.00 EUR
  currency  eur
  status    paid

  test_clock  clock_9pjJQ9X0nqlCzyToKcJuZznW

  created  2024-01-01T00:00:00Z

lines
  description       amount  start             end               id
  Rent         1200.00 EUR  1970-01-01 00:00  1970-01-02 00:00  il_hm3BPImascdsMcz04CeY77W9
`,
  )
})

objects('prints a long value below its label, wrapped at spaces, and reports a cut value', () => {
  const message = 'Connection refused by 127.0.0.1:9. Start your handler, or correct the url.'
  const narrow = { ...VIEW, width: 50 }
  const { text, isWhole } = formatResponse({ error_message: message }, narrow)
  assert.is(
    text,
    `  error_message
    Connection refused by 127.0.0.1:9. Start your
    handler, or correct the url.
`,
  )
  assert.ok(isWhole)
  const cut = formatResponse({ url: `http://a.test/${'x'.repeat(50)}` }, narrow)
  assert.is(cut.text, `  url\n    http://a.test/${'x'.repeat(31)}…\n`)
  assert.not.ok(cut.isWhole)
})

objects('cuts no secret, because no other response contains it', () => {
  for (const name of ['api_key', 'secret', 'webhook_secret']) {
    const { text, isWhole } = formatResponse({ [name]: 's'.repeat(70) }, { ...VIEW, width: 50 })
    assert.equal([text, isWhole], [`  ${name}\n    ${'s'.repeat(70)}\n`, true])
  }
})

objects('prints every field with its raw and formatted value with --wide', () => {
  assert.is(
    textOf(PAYMENT, WIDE),
    `id                                          py_TAyqTHqx3Srz7XZEelzMgcFl
object                                      payment
created                                     1704067200 (2024-01-01T00:00:00Z)
livemode                                    false
status                                      succeeded
amount                                      4675 (46.75 EUR)
currency                                    eur
customer                                    cus_xjIA32giWSPFtJZicI4kuHF4
invoice                                     -
payment_method_details.type                 card
payment_method_details.card.brand           visa
payment_method_details.card.three_d_secure  -
metadata.order                              1042
`,
  )
})

objects('prints an amount in an unknown currency as a number', () => {
  assert.is(textOf({ amount: 5, currency: 'xyz' }), '  amount    5\n  currency  xyz\n')
  assert.is(textOf({ amount: 5, currency: 'xyz' }, WIDE), 'amount    5\ncurrency  xyz\n')
})

objects('prints deeply nested values as JSON', () => {
  let value: object = { end: 1 }
  for (let depth = 0; depth < 20; depth += 1) value = { n: value }
  assert.match(textOf(value), /^n(\.n){6}\n {2}n {2}\{"n":.*\n$/)
  assert.match(textOf(value, WIDE), /^n(\.n){7} {2}\{"n":.*\n$/)
})

objects.run()

const lists = suite('lists on a terminal')

lists('prints a table with the columns of the object type and relative times', () => {
  const one = { id: 'cus_2', object: 'customer', email: 'b@example.com', name: null, created: NOW - 3600 }
  const two = { id: 'cus_1', object: 'customer', email: 'ada@example.com', name: 'Ada', created: 0 }
  assert.is(
    textOf(list(one, two)),
    `id     email            name  created
cus_2  b@example.com    -     1 h ago
cus_1  ada@example.com  Ada   1970-01-01 00:00
`,
  )
  assert.match(textOf(list(one), WIDE), / 2023-12-31T23:03:00Z\n$/)
})

lists('prints amounts, lists, inner fields and alternatives in cells', () => {
  const event = { id: 'evt_1', object: 'event', type: 'x.y', data: { object: { id: 'cus_1' } }, created: 0 }
  assert.match(textOf(list(event)), /^id +type +created +object\nevt_1 +x\.y +1970-01-01 00:00 +cus_1\n$/)
  const endpoint = { id: 'we', object: 'webhook_endpoint', enabled_events: ['a', 'b'] }
  assert.match(textOf(list(endpoint)), / a, b\n$/)
  const payment = { ...PAYMENT, failure_code: 'card_declined' }
  const rows = [
    { ...payment, decline_code: 'insufficient_funds' },
    { ...payment, decline_code: null },
    { ...payment, decline_code: null, failure_code: null, amount_captured: 3000 },
  ]
  const [head = '', ...lines] = textOf(list(...rows)).split('\n')
  const why = lines.slice(0, 3).map((line) => line.slice(head.indexOf('why')).split(' ')[0])
  assert.equal(why, ['insufficient_funds', 'card_declined', '-'])
  assert.match(head, / {2}amount {2}/)
  assert.match(lines[0] ?? '', / {2}46\.75 EUR /)
  assert.match(lines[2] ?? '', / {2}30\.00 EUR /)
})

lists('prints id, type and time of objects of an unknown type', () => {
  assert.match(textOf(list({ id: 'x', object: 'novelty' })), /^id +object +created\nx +novelty +-\n$/)
})

lists('prints no output for an empty list', () => assert.is(textOf(list()), ''))

lists('links the id of an object to its page', () => {
  const link = createHyperlinkFormatter(true)
  const session = { id: 'py_sess_1', object: 'payment_session', url: 'http://a.test/pay' }
  const linked = link('py_sess_1', session.url)
  assert.ok(textOf(list(session), { ...VIEW, link }).includes(`${linked}  `))
})

lists.run()

/** Sequences that control a terminal, and invisible characters. */
const HOSTILE = [
  '\u001b[2J\u001b[H \u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007 \u001b]52;c;ZXZpbA==\u0007',
  '\u001bP$q"p\u001b\\ \u009b31m \u009d8;;x\u009c over\rwritten back\b\b\b\bspace \u0000\u0007\u000b\u000c\u007f',
  'invoice\u202efdp.exe \u2066isolate\u2069 \u200emark\u200f \u061c zero\u200bwidth\u200c\u200d\u2060\ufeff',
  'line\u2028paragraph\u2029',
].join(' ')

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern of characters that must not occur
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

const hostile = suite('hostile text')

hostile('is escaped in every output format', () => {
  const metadata = { [HOSTILE]: HOSTILE }
  const customer = { id: HOSTILE, object: 'customer', email: HOSTILE, name: HOSTILE, created: 0, metadata }
  const view = { ...VIEW, width: 10_000 }
  const table = textOf(list(customer), view)
  for (const text of [
    textOf(customer, view),
    textOf(customer, WIDE),
    table,
    textOf({ ...customer, items: [customer] }, view),
    renderJsonOrFields(customer, []),
    renderJsonOrFields(customer, ['name', 'metadata']),
    renderJsonOrFields(list(customer), ['data[].name', 'data[].email']),
  ])
    assert.not.match(text.replaceAll('\t', ''), HARMFUL)
  assert.is(table.split('\n').length, 3, 'one header and one row')
  assert.equal(JSON.parse(renderJson(customer)), customer, 'the JSON value is unchanged')
})

hostile.run()
