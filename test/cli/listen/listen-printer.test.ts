import { formatListenRecord } from '../../../src/cli/listen/listen-printer.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import type { ListenOutputRecord } from '../../../src/client/listen-records.ts'
import { assert, suite } from '../../support/suite.ts'
import { deliveryOf } from '../../tui/test-screen.ts'

const test = suite('cli/listen-printer')

const NOON_MS = new Date(2026, 0, 31, 12, 5, 9, 7).getTime()
const lines = (record: object, isBodyShown = false) =>
  formatListenRecord(record as ListenOutputRecord, createStyle(false), NOON_MS, isBodyShown)

const DELIVERY = deliveryOf(1, { response_body: 'ok' })

test('formats an event and its delivery as one line each', () => {
  const event = { id: 'evt_1', type: 'checkout_session.completed' }
  assert.is(lines({ type: 'event', event }), '12:05:09.007  -->  checkout_session.completed  [evt_1]\n')
  assert.is(
    lines(DELIVERY),
    '12:05:09.007  <--  [200] POST http://localhost:3000/hook  23ms  attempt 1  [evt_1]\n',
  )
  assert.match(lines({ ...DELIVERY, trigger: 'manual' }), /resend 1/)
})

test('adds one line of at most 80 columns with the fault of an attempt', () => {
  const [line, fault, ...rest] = lines({ ...DELIVERY, fault: `flt_${'4'.repeat(24)}\u001b[2J` }).split('\n')
  assert.match(line ?? '', /attempt 1/)
  assert.is(fault, `              Fault: flt_${'4'.repeat(24)}\\u001b[2J`)
  assert.ok((fault ?? '').length <= 80)
  assert.equal(rest, [''])
})

test('adds one line for a failed delivery, even if its response is long and has control characters', () => {
  const failed = {
    ...DELIVERY,
    http_status: 500,
    error: 'http_status',
    error_message: 'The receiver answered 500.',
    response_body: `\u001b[2Jboom\n\u202e${'x'.repeat(5000)}`,
  }
  const text = lines(failed)
  assert.is(text.split('\n').length, 3)
  assert.match(text, / {14}The receiver answered 500\. Response: \\u001b\[2Jboom \\u202exxx/)
  assert.ok(text.length < 500)
})

test('prints the whole event and response body when bodies are enabled', () => {
  assert.match(
    lines({ type: 'event', event: { id: 'evt_1', type: 'a.b', z: 1 } }, true),
    /^ {14} {2}"z": 1$/m,
  )
  assert.match(lines(DELIVERY, true), /^ {14}ok$/m)
})

test('prints the connection state with its reason', () => {
  const state = { type: 'state', targets: [{ url: 'http://localhost:3000/' }] }
  for (const [record, text] of [
    [{ ...state, state: 'ready', reason: 'It gets nothing.' }, /^12:05:09\.007 {2}It gets nothing\.\n$/],
    [{ ...state, state: 'ready', reason: null }, /Ready, forwarding to http:\/\/localhost:3000\/\./],
    [{ ...state, state: 'retrying', reason: 'No daemon.' }, /Connection lost, .*No daemon\./],
    [{ ...state, state: 'down', reason: 'No daemon.' }, /Disconnected, .*No daemon\./],
    [{ type: 'reset', after: 4, continues_after: 9 }, /Events 5 to 9 were deleted/],
    [{ type: 'reset', after: 9, continues_after: 0 }, /another database/],
    [
      { type: 'sandbox_reset', continues_after: 7 },
      /^12:05:09\.007 {2}The sandbox was reset, events kept: 7\.\n$/,
    ],
  ] as const)
    assert.match(lines(record), text)
})

test.run()
