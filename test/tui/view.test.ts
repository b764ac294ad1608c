import { renderFrame } from '../../src/tui/view.ts'
import { assert, suite } from '../support/suite.ts'
import {
  createTestScreen,
  deliveryOf,
  eventOf,
  FAILURE,
  SIZE,
  TARGET,
  type TestScreen,
  typed,
} from './test-screen.ts'

const test = suite('tui/view')

const linesOf = ({ controller }: TestScreen, size = SIZE) =>
  renderFrame(controller.getState(), size).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
const textOf = (screen: TestScreen) => linesOf(screen).join('\n')

function screenWithThreeEvents(): TestScreen {
  const screen = createTestScreen()
  const { record } = screen.controller
  record({ type: 'event', event: eventOf(1) })
  record(deliveryOf(1))
  record({ type: 'event', event: eventOf(2, { type: 'invoice.paid', object: { id: 'in_1' } }) })
  record(deliveryOf(2, FAILURE))
  const object = { id: 'cus_1', email: 'ada@example.org', name: 'Ada' }
  record({ type: 'event', event: eventOf(3, { type: 'customer.updated', object, before: { name: null } }) })
  return screen
}

test('draws the whole screen before the first event', () => {
  const lines = linesOf(createTestScreen())
  assert.is(lines.length, SIZE.rows)
  assert.is(lines[0], 'paycli listen  ● ready  http://127.0.0.1:4100')
  assert.is(lines[1], '○ http://localhost:3000/hook')
  assert.match(lines.join('\n'), /No events yet[\s\S]*t {3}trigger an event/)
})

test('shows each event with its delivery results and selects the newest', () => {
  const lines = linesOf(screenWithThreeEvents())
  assert.equal(lines.slice(2, 7), [
    '3 events  1 failed',
    '─'.repeat(80),
    '  12:05:09  customer.created                  evt_1          200 23 ms #1',
    '  12:05:09  invoice.paid                      evt_2          500 23 ms #1',
    '› 12:05:09  customer.updated                  evt_3           ·',
  ])
})

test('always shows the state of the connection with its reason', () => {
  for (const [state, expected] of [
    ['connecting', /◌ connecting/],
    ['retrying', /◌ retrying .*No daemon/],
    ['down', /✗ down .*No daemon/],
  ] as const) {
    const screen = screenWithThreeEvents()
    screen.controller.record({ type: 'state', state, reason: 'No daemon.', targets: [] })
    screen.type('return')
    assert.match(linesOf(screen)[0] ?? '', expected)
  }
})

test('shows a target that is not enabled in place of the ready state, with instructions', () => {
  for (const status of ['disabled', 'deleted', 'taken'] as const) {
    const screen = screenWithThreeEvents()
    const reason = `Do something with ${status}.`
    screen.controller.record({ type: 'state', state: 'ready', reason, targets: [{ ...TARGET, status }] })
    const lines = linesOf(screen)
    assert.match(lines[0] ?? '', new RegExp(`✗ target ${status}`))
    assert.is(lines[1], `✗ http://localhost:3000/hook (${status})`)
    assert.ok(lines.join('\n').includes(reason))
  }
})

test('masks the secret until S is pressed', () => {
  const screen = createTestScreen()
  screen.controller.setSecret('whsec_abc')
  assert.not.match(textOf(screen), /whsec_abc/)
  screen.type('S')
  assert.match(textOf(screen), /whsec_abc/)
})

test('shows the payload, headers, response, attempts and changed fields of an event in tabs', () => {
  const screen = screenWithThreeEvents()
  screen.type('upArrow', 'upArrow', 'return')
  assert.match(
    textOf(screen),
    /customer\.created {2}payload headers response attempts diff\n\{\n {2}"id": "evt_1"/,
  )
  screen.type('tab')
  assert.match(textOf(screen), /webhook-id: evt_1/)
  screen.type('tab')
  assert.match(textOf(screen), /200 http:\/\/localhost:3000\/hook\nthanks/)
  screen.type('tab')
  assert.match(textOf(screen), /attempt 1 {3}succeeded {2}200 {9}23 ms/)
  screen.type('tab')
  assert.match(textOf(screen), /\+ id: "cus_1"\n\+ email: "ada@example\.com"/)
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
  screen.controller.record({ type: 'event', event: eventOf(1) })
  screen.type('return', 'tab', 'tab', 'tab')
  await Promise.resolve()
  await Promise.resolve()
  assert.match(textOf(screen), /attempt 1 {3}pending/)
  screen.controller.record(deliveryOf(1))
  assert.is(calls, 2)
})

test('shows the differences from the previous event of the same object', () => {
  const screen = screenWithThreeEvents()
  screen.type('return', 'leftArrow')
  assert.match(textOf(screen), /- email: "ada@example\.com"\n\+ email: "ada@example\.org"\n\+ name: "Ada"\n/)
})

test('begins the diff of a new object with its first field', () => {
  const screen = createTestScreen()
  screen.controller.record({ type: 'event', event: eventOf(1) })
  screen.type('return', 'leftArrow')
  assert.is(linesOf(screen)[5], '+ id: "cus_1"')
})

test('shows as many key hints as fit, starting with help and quit', () => {
  for (const [columns, keys] of [
    [80, '? help  q quit  Enter open  r resend  R failed  / search  t trigger  e type'],
    [60, '? help  q quit  Enter open  r resend  R failed  / search'],
    [20, '? help  q quit'],
  ] as const) {
    assert.is(linesOf(screenWithThreeEvents(), { columns, rows: 20 }).at(-1), keys)
  }
  const screen = screenWithThreeEvents()
  screen.type('return')
  assert.match(linesOf(screen, { columns: 60, rows: 20 }).at(-1) ?? '', /^\? help {2}q quit {2}Esc back/)
})

test('shows the whole help on a terminal of 60×20', () => {
  const screen = createTestScreen()
  screen.type('?')
  const lines = linesOf(screen, { columns: 60, rows: 20 })
  assert.ok(lines.some((line) => /^ {2}q +quit$/.test(line)))
  assert.ok(lines.every((line) => line.length <= 60))
})

test('wraps a long notice between words and takes its rows from the list', () => {
  const message = `${'It did not happen. '.repeat(6)}Start one: paycli serve`
  const screen = screenWithThreeEvents()
  screen.controller.record({ type: 'state', state: 'down', reason: message, targets: [] })
  const lines = linesOf(screen, { columns: 60, rows: 20 })
  assert.is(lines.length, 20)
  assert.is(lines.slice(-4, -1).join(' '), message)
  assert.ok(lines.slice(1).every((line) => line.length <= 60))
  assert.match(linesOf(screen, { columns: 60, rows: 10 }).at(-2) ?? '', /…$/)
  screen.controller.record({ type: 'state', state: 'ready', reason: null, targets: [] })
  assert.is(linesOf(screen).at(-2), '')
})

test('filters events and shows the active filter', () => {
  const screen = screenWithThreeEvents()
  screen.type('f')
  assert.match(textOf(screen), /failed only\n─+\n› 12:05:09 {2}invoice\.paid/)
  screen.type('escape', 'e', ...typed('customer.*'), 'return')
  assert.not.match(textOf(screen), /invoice\.paid/)
  screen.type('escape', '/', ...typed('EXAMPLE.ORG'), 'return')
  assert.match(textOf(screen), /\/EXAMPLE\.ORG\n─+\n› 12:05:09 {2}customer\.updated/)
  screen.type('/', ...typed('!'), 'return')
  assert.match(textOf(screen), /No events match the filter/)
})

test('hides and counts new events while paused', () => {
  const screen = screenWithThreeEvents()
  screen.type(' ')
  screen.controller.record({ type: 'event', event: eventOf(4) })
  assert.match(textOf(screen), /PAUSED, 1 more/)
  assert.not.match(textOf(screen), /evt_4/)
  screen.type(' ')
  assert.match(textOf(screen), /evt_4/)
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

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 50, rows: 12 },
  { columns: 20, rows: 5 },
  { columns: 200, rows: 60 },
]) {
  test(`draws exactly ${size.rows} lines in every mode on a terminal of ${size.columns}×${size.rows}`, () => {
    const screen = screenWithThreeEvents()
    for (let number = 4; number < 200; number += 1)
      screen.controller.record({ type: 'event', event: eventOf(number) })
    for (const keys of [[], ['return'], ['escape', '?'], ['escape', 't']] as const) {
      screen.type(...keys)
      assert.is(linesOf(screen, size).length, size.rows)
    }
  })
}

test.run()
