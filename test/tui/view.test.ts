import { renderFrame } from '../../src/tui/view.ts'
import { assert, suite } from '../support/suite.ts'
import {
  createTestScreen,
  deliveryOf,
  eventOf,
  FAILURE,
  linesOf,
  NOON_MS,
  SIZE,
  screenWithThreeEvents,
  settled,
  textOf,
  typed,
} from './test-screen.ts'

const test = suite('tui/view')

test('draws the whole screen before the first event', () => {
  const lines = linesOf(createTestScreen())
  assert.is(lines.length, SIZE.rows)
  assert.is(lines[0], 'paycli listen  ● ready  http://127.0.0.1:4100  0 events/s')
  assert.is(lines[1], 'Forwarding to ○ http://localhost:3000/hook')
  assert.match(lines.join('\n'), /No events yet[\s\S]*t {3}trigger an event/)
})

test('shows each event with its delivery results and selects the newest event', () => {
  const lines = linesOf(screenWithThreeEvents())
  assert.equal(lines.slice(2, 7), [
    '3 events  1 failed',
    '─'.repeat(80),
    '  12:05:09  customer.created         ada@example… · …s_1 200 23 ms',
    '  12:05:09  invoice.paid             …n_1                500 attempt 1',
    '› 12:05:09  customer.updated         Ada · …s_1           ·',
  ])
})

test('shows the payload, headers, response, attempts and changed fields of an event in tabs', () => {
  const screen = screenWithThreeEvents()
  screen.type('upArrow', 'upArrow', 'return')
  assert.match(
    textOf(screen),
    /customer\.created {2}payload headers response attempts diff\n▾ \{\n {4}"id": "evt_1"/,
  )
  screen.type('tab')
  assert.match(textOf(screen), /webhook-id: evt_1/)
  screen.type('tab')
  assert.match(textOf(screen), /200 http:\/\/localhost:3000\/hook\nthanks/)
  screen.type('tab')
  assert.match(textOf(screen), /attempt 1 {3}succeeded {2}200 {9}23 ms/)
  screen.type('tab')
  assert.match(
    textOf(screen),
    /attempts diff\n\+ id: "cus_1"\n\+ object: "customer"\n\+ email: "ada@example\.com"/,
  )
})

test('shows the event above a detail without the list beside it, also on a narrow terminal', () => {
  const screen = createTestScreen()
  screen.addEvent(1, { type: 'invoice.payment_action_required' })
  screen.typeAt({ columns: 60, rows: 15 }, 'return')
  assert.is(linesOf(screen, { columns: 60, rows: 15 })[4], 'invoice.payment_action_required  payload')
})

test('shows the time in the heading of a group of events without a request', () => {
  const screen = createTestScreen()
  screen.addEvent(1)
  screen.type('b', 'b')
  assert.match(textOf(screen), /▾ no request, 12:05:09 {4}1 event\n/)
})

test('reads the delivery attempts from the server, and reads them again after another delivery', async () => {
  let calls = 0
  const listed = { ...deliveryOf(1), status: 'pending', http_status: null, duration_ms: null }
  const screen = createTestScreen({
    async attempts() {
      calls += 1
      return [listed] as never
    },
  })
  screen.addEvent(1)
  screen.type('return', 'tab', 'tab', 'tab')
  await settled()
  assert.match(textOf(screen), /attempt 1 {3}pending/)
  screen.controller.record(deliveryOf(1))
  assert.is(calls, 2)
})

/** Returns the lines of the attempts tab for attempts that the server returns. */
async function attemptLines(...attempts: readonly object[]): Promise<string[]> {
  const screen = createTestScreen({ attempts: async () => attempts as never })
  screen.addEvent(1)
  screen.type('return', 'tab', 'tab', 'tab')
  await settled()
  return linesOf(screen).slice(5)
}

const PENDING = {
  ...deliveryOf(1),
  ...{ status: 'pending', http_status: null, duration_ms: null, response_body: null },
}

test('shows the response of the handler and the time of the next attempt', async () => {
  const next_attempt_at = NOON_MS / 1000 + 240
  const response_body = JSON.stringify({ error: 'out of stock' })
  const failed = { ...deliveryOf(1, { ...FAILURE, response_body }), status: 'failed', next_attempt_at }
  const lines = await attemptLines({ ...PENDING, attempt: 2, next_attempt_at }, failed)
  assert.equal(lines.slice(0, 8), [
    'attempt 2   pending',
    '  http://localhost:3000/hook',
    '  retry in 4 m, at 12:09:09',
    'attempt 1   failed     500         23 ms',
    '  http://localhost:3000/hook',
    '  The endpoint returned 500.',
    '  Handler responded: {"error":"out of stock"}',
    '',
  ])
})

test('shows the start of a long response, and the number of lines that follow', async () => {
  for (const [lines, note] of [
    [6, /\+1 line in the response tab/],
    [7, /\+2 lines in the response tab/],
  ] as const) {
    const screen = createTestScreen()
    screen.addEvent(1)
    screen.controller.record(deliveryOf(1, { response_body: 'line\n'.repeat(lines) }))
    screen.type('return', 'tab', 'tab', 'tab')
    assert.match(textOf(screen), note)
  }
})

test('shows a pending first attempt as a delivery, not as a retry', async () => {
  const lines = await attemptLines({ ...PENDING, next_attempt_at: NOON_MS / 1000 - 5 })
  assert.is(lines[2], '  delivery is due, at 12:05:04')
})

test('shows the fault of an attempt, and that a delivery is held', async () => {
  const fault = `flt_${'9'.repeat(24)}`
  assert.equal((await attemptLines({ ...PENDING, next_attempt_at: null, fault })).slice(0, 4), [
    'attempt 1   pending',
    '  http://localhost:3000/hook',
    `  fault ${fault}`,
    '  held until it is released',
  ])
})

test('shows the list and the detail side by side from 110 columns', () => {
  const screen = screenWithThreeEvents()
  const [, , , , , , row = ''] = linesOf(screen, { columns: 110, rows: 30 })
  assert.match(row, /customer\.updated .* │ +"id": "evt_3",/)
  assert.not.match(linesOf(screen, { columns: 109, rows: 30 })[5] ?? '', /│/)
})

test('counts the matches of a search and highlights them', () => {
  const screen = screenWithThreeEvents()
  screen.type('/', ...typed('example.org'), 'return', 'return')
  const underlined = () =>
    renderFrame(screen.controller.getState(), SIZE)
      .flat()
      .filter(({ isUnderlined }) => isUnderlined === true)
      .map(({ text }) => text)
  assert.equal(underlined(), ['example.org'])
  assert.match(linesOf(screen)[4] ?? '', /\/example\.org \d\/1$/m)
})

test('shows the changes since the previous event of the same object', () => {
  const screen = screenWithThreeEvents()
  screen.type('return', 'leftArrow')
  assert.match(textOf(screen), /- email: "ada@example\.com"\n\+ email: "ada@example\.org"\n\+ name: "Ada"\n/)
})

test('filters events and shows the active filter', () => {
  const screen = screenWithThreeEvents()
  screen.type('f')
  assert.match(textOf(screen), /failed only\n─+\n› 12:05:09 {2}invoice\.paid/)
  screen.type('escape', 'e', ...typed('customer.*'), 'return')
  assert.not.match(textOf(screen), /invoice\.paid/)
  screen.type('escape', '/', ...typed('EXAMPLE.ORG'), 'return')
  assert.match(textOf(screen), /\/EXAMPLE\.ORG 1\/1\n─+\n› 12:05:09 {2}customer\.updated/)
  screen.type('/', ...typed('!'), 'return')
  assert.match(textOf(screen), /No events match the filter/)
})

test('hides and counts new events while paused', () => {
  const screen = screenWithThreeEvents()
  screen.type(' ')
  screen.addEvent(4)
  assert.match(textOf(screen), /PAUSED, 1 more/)
  assert.not.match(textOf(screen), /› 12:05:09 {2}customer\.created/)
  screen.type(' ')
  assert.match(textOf(screen), /› 12:05:09 {2}customer\.created/)
})

test('escapes control characters of untrusted text', () => {
  const hostile = '\u001b[2J\u001b]8;;http://evil/\u0007x\u001b]8;;\u0007\u202e\r\n\u009b31m'
  const screen = createTestScreen()
  const { record } = screen.controller
  record({ type: 'event', event: eventOf(1, { type: hostile, object: { id: hostile, [hostile]: hostile } }) })
  record(
    deliveryOf(1, {
      ...FAILURE,
      url: `http://localhost/${hostile}`,
      error_message: hostile,
      response_body: hostile,
      request_headers: { [hostile]: hostile },
    }),
  )
  record({
    type: 'state',
    state: 'down',
    reason: hostile,
    targets: [{ webhook_endpoint: 'we_1', url: hostile, enabled_events: [], status: 'enabled' }],
  })
  screen.type(...typed('/'), '\u001b', 'return', 'escape')
  for (const keys of [[], ['return'], ['tab'], ['tab'], ['tab'], ['tab']] as const) {
    screen.type(...keys)
    const text = linesOf(screen).join('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
    assert.not.match(text, /[\u0000-\u001f\u007f-\u009f\u202e]/)
  }
})

test.run()
