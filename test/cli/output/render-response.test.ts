import {
  findListNote,
  renderJsonOrFields,
  renderStreamEntryFields,
} from '../../../src/cli/output/render-response.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

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
    renderStreamEntryFields(SESSION, ['id', 'amount_total.x', 'metadata.none', 'livemode']),
    'cks_1\n\n\nfalse\n',
  )
  assert.is(renderStreamEntryFields(SESSION, ['payment_method_types[]']), 'card\n')
})

fields.run()

const notes = suite('notes on a response')

notes('describe an empty result or further pages', () => {
  assert.is(findListNote({ ...LIST, data: [], has_more: false }), 'No results.')
  assert.is(findListNote(LIST), 'More results: --starting-after cus_1')
  assert.is(findListNote({ ...LIST, has_more: false }), null)
  assert.is(findListNote(SESSION), null)
  const recovery = { object: 'webhook_recovery', resent: 0, has_more: false }
  assert.is(findListNote(recovery), 'No missed deliveries found.')
  assert.is(findListNote({ ...recovery, resent: 1 }), null)
})

notes.run()

const data = suite('data for programs')

data('prints the response as JSON', () => {
  assert.is(renderJsonOrFields(LIST, []), `${JSON.stringify(LIST, null, 2)}\n`)
})

data('prints raw field values, one per line', () => {
  const fields = [
    'id',
    'amount_total',
    'subscription_data.start_date',
    'payment_method_types',
    'metadata[a b]',
  ]
  assert.is(renderJsonOrFields(SESSION, fields), 'cks_1\n120000\n\n["card"]\ntwo\nlines\n')
  assert.is(renderJsonOrFields(LIST, ['data[].id']), 'cus_2\ncus_1\n')
})

data('prints the id of the response when a requested field does not exist', () => {
  const { message, hint } = usageErrorFrom(() => renderJsonOrFields(SESSION, ['nme']))
  assert.is(message, "Unknown field 'nme': The response has no 'nme'. The response was cks_1.")
  assert.match(hint ?? '', /^Fields: .* See the whole object: paycli get cks_1$/)
})

data('prints no fields when one of the requested fields does not exist', () => {
  assert.throws(() => renderJsonOrFields(SESSION, ['id', 'nme']), /Unknown field 'nme'/)
})

data('prints several fields of the elements of a list as one row per element', () => {
  assert.is(renderJsonOrFields(LIST, ['data[].id', 'data[].name']), 'cus_2\t\ncus_1\tAda\n')
  const events = [
    { id: 1, tags: ['a', 'b'] },
    { id: 2, tags: [] },
  ]
  assert.is(
    renderJsonOrFields(events, ['[].id', '[].tags[]', '[].tags']),
    '1\t["a","b"]\t["a","b"]\n2\t[]\t[]\n',
  )
  assert.is(renderJsonOrFields({ ...LIST, data: [] }, ['data[].id', 'data[].name']), '')
})

data('escapes tabs and line breaks in the cells of a row', () => {
  const list = { ...LIST, data: [{ id: 'a\tb', name: 'c\nd' }] }
  assert.is(renderJsonOrFields(list, ['data[].id', 'data[].name']), 'a\\tb\tc\\nd\n')
})

data('prints one line per value when the fields are not of the same list', () => {
  assert.is(renderJsonOrFields(LIST, ['data[].id', 'has_more']), 'cus_2\ncus_1\ntrue\n')
})

data('rejects an unknown field of a row', () => {
  assert.throws(() => renderJsonOrFields(LIST, ['data[].id', 'data[].nme']), /Unknown field 'data\[0\]\.nme'/)
})

data.run()
