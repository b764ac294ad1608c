import { getEventObjectSummary } from '../../src/presentation/event-summary.ts'
import { formatEventSummary } from '../../src/tui/summary-text.ts'
import { assert, suite } from '../support/suite.ts'
import { eventOf } from './test-screen.ts'

const test = suite('tui/summary-text')

const NAMES = new Map([['cus_1', 'Ada Lovelace']])
const PAYMENT = { id: 'py_4bT9kSV', object: 'payment', amount: 4675, currency: 'eur', customer: 'cus_1' }

const NOTHING = { id: 'py_abc', amount: null, name: null, email: null }

const summaryOf = (object: object) => getEventObjectSummary(eventOf(1, { object }), NAMES)

test('summarizes an event by amount, customer and the end of the id', () => {
  for (const [object, summary] of [
    [PAYMENT, '46.75 EUR · Ada Lovelace · …kSV'],
    [{ id: 'cus_2', object: 'customer', name: null, email: 'bo@example.com' }, 'bo@example.com · …s_2'],
    [{ id: 'in_abc', customer: 'cus_1', customer_email: 'c@x' }, 'Ada Lovelace · …abc'],
    [{ id: 'sub_abc', customer: 'cus_9', currency: 'eur' }, '…abc'],
    [{ id: 'py_abc', amount: 1, currency: 'zzz' }, '…abc'],
    [{ id: 'py_abc', amount: 1.5, currency: 'eur' }, '…abc'],
  ] as const) {
    assert.is(formatEventSummary(summaryOf(object), 40), summary)
  }
})

test('cuts the name first, then omits the end of the id, then the name', () => {
  for (const [width, summary] of [
    [31, '46.75 EUR · Ada Lovelace · …kSV'],
    [30, '46.75 EUR · Ada Lovela… · …kSV'],
    [23, '46.75 EUR · Ada… · …kSV'],
    [22, '46.75 EUR · Ada Lovel…'],
    [16, '46.75 EUR · Ada…'],
    [15, '46.75 EUR'],
    [8, '46.75 E…'],
  ] as const) {
    assert.is(formatEventSummary(summaryOf(PAYMENT), width), summary)
  }
  assert.is(formatEventSummary({ ...NOTHING, name: '支付宝支付宝' }, 14), '支付宝… · …abc')
  assert.is(formatEventSummary(NOTHING, 14, false), '')
})

test('escapes control characters of names and ids', () => {
  assert.is(formatEventSummary({ ...NOTHING, id: '\u009b', name: 'A\u001b' }, 40), 'A\\u001b · …\\u009b')
})

test.run()
