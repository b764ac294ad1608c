import { assert, suite } from '../support/suite.ts'
import {
  createTestScreen,
  deliveryOf,
  FAILURE,
  settled,
  TARGET,
  type TestScreen,
  typed,
} from './test-screen.ts'

const test = suite('tui/keymap')

function screenWithFiveEvents(ports: Parameters<typeof createTestScreen>[0] = {}): TestScreen {
  const screen = createTestScreen(ports)
  for (let number = 1; number <= 5; number += 1) {
    const url = number === 5 ? { url: 'http://127.0.0.1:4101/checkout/cks_1' } : {}
    screen.addEvent(number, { object: { id: `cks_${number}`, ...url } })
    screen.controller.record(deliveryOf(number, number % 2 === 0 ? FAILURE : {}))
  }
  return screen
}

const selectedOf = ({ controller }: TestScreen) => controller.getState().ui.selected
const noticeOf = ({ controller }: TestScreen) => controller.getState().ui.notice

test('moves the selection between the first and the newest event, and follows new events from the newest', () => {
  const screen = screenWithFiveEvents()
  assert.is(selectedOf(screen), null)
  screen.type('upArrow')
  assert.is(selectedOf(screen), 'evt_4')
  screen.type('k', 'g')
  assert.is(selectedOf(screen), 'evt_1')
  screen.type('upArrow', 'pageUp')
  assert.is(selectedOf(screen), 'evt_1')
  screen.type('downArrow')
  assert.is(selectedOf(screen), 'evt_2')
  screen.type('pageDown')
  assert.is(selectedOf(screen), null)
})

test('runs the action of each key with the selected event', () => {
  for (const [keys, call] of [
    [['r'], 'resend evt_5'],
    [['upArrow', 'r'], 'resend evt_4'],
    [['R'], 'resend evt_2,evt_4'],
    [['y'], 'copy evt_5'],
    [['o'], 'open http://127.0.0.1:4101/checkout/cks_1'],
    [['q'], 'quit false'],
    [['interrupt'], 'quit true'],
    [['return', 'r'], 'resend evt_5'],
    [['t', ...typed('invoice'), 'return'], 'trigger invoice.paid'],
    [['t', 'downArrow', 'return'], 'trigger invoice.paid'],
  ] as const) {
    const screen = screenWithFiveEvents()
    screen.type(...keys)
    assert.equal(screen.calls, [call])
  }
})

test('shows disabled targets in the notice of a resend', async () => {
  for (const [status, notice] of [
    ['enabled', 'Resent.'],
    ['disabled', 'Resent, but not to http://localhost:3000/hook (disabled).'],
  ] as const) {
    const screen = screenWithFiveEvents()
    screen.connect({ targets: [{ ...TARGET, status }] })
    screen.type('r')
    await settled()
    assert.is(noticeOf(screen), notice)
  }
})

test('shows how to enable a disabled target after a failed resend', async () => {
  const screen = screenWithFiveEvents({ resend: () => Promise.reject(new Error('No endpoint wants it.')) })
  const resendNotice = async (state: object) => {
    screen.connect(state)
    screen.type('r')
    await settled()
    return noticeOf(screen)
  }
  assert.is(await resendNotice({}), 'No endpoint wants it.')
  assert.is(await resendNotice({ reason: 'Enable it.' }), 'Enable it.')
})

test('copies a curl command with quoted arguments', () => {
  const screen = screenWithFiveEvents()
  screen.type('c')
  const [text = ''] = screen.calls
  assert.match(
    text,
    /^copy curl -X POST http:\/\/localhost:3000\/hook -H 'webhook-id: evt_5' -H 'note: it'\\''s' --data-raw '\{"id":"evt_5"/,
  )
})

test('shows why an action is impossible', () => {
  const empty = createTestScreen()
  empty.type('r')
  assert.match(noticeOf(empty) ?? '', /No event is selected/)
  empty.type('R')
  assert.match(noticeOf(empty) ?? '', /No event has failed/)
  empty.type('Y')
  assert.match(noticeOf(empty) ?? '', /Cannot copy the payload/)
  empty.type('o')
  assert.match(noticeOf(empty) ?? '', /has no page/)
  assert.equal(empty.calls, [])
})

test('clears the event list and its counters on x, also while paused, and shows later events', () => {
  const screen = screenWithFiveEvents()
  screen.type(' ', 'x')
  assert.is(screen.controller.getState().feed.rows.length, 0)
  assert.equal(screen.controller.getState().feed.counts, { events: 0, failed: 0 })
  screen.addEvent(6)
  assert.is(screen.controller.getState().feed.rows.length, 1)
})

test('discards the typed text on Escape, and applies it on Enter', () => {
  const screen = screenWithFiveEvents()
  screen.type('/', ...typed('abx'), 'backspace', 'escape')
  assert.equal(screen.controller.getState().ui.filter.search, '')
  screen.type('/', ...typed('abx'), 'backspace', 'return')
  assert.equal(screen.controller.getState().ui.filter.search, 'ab')
  screen.type('/', 'c', 'return')
  assert.equal(screen.controller.getState().ui.filter.search, 'c')
})

test('removes a whole character of the typed text on backspace', () => {
  const screen = createTestScreen()
  screen.type('/', 'a', '🙂', 'backspace')
  assert.is(screen.controller.getState().ui.draft, 'a')
})

test('changes the grouping on b and shows a notice', () => {
  const screen = screenWithFiveEvents()
  for (const [grouping, notice] of [
    ['object', 'Grouped by object.'],
    ['request', 'Grouped by request.'],
    ['none', 'Not grouped.'],
  ] as const) {
    screen.type('b')
    assert.equal([screen.controller.getState().ui.grouping, noticeOf(screen)], [grouping, notice])
  }
})

test('moves the selection in the order of the groups', () => {
  const screen = createTestScreen()
  for (const [index, id] of ['a', 'b', 'a'].entries()) screen.addEvent(index + 1, { object: { id } })
  screen.type('b', 'upArrow')
  assert.is(selectedOf(screen), 'evt_1')
  screen.type('upArrow')
  assert.is(selectedOf(screen), 'evt_2')
})

test('folds and unfolds the object below the cursor on Enter, and all objects on z', () => {
  const screen = createTestScreen()
  const object = { id: 'cus_1', metadata: { a: 1 }, address: { city: 'x' } }
  screen.addEvent(1, { object })
  const foldedOf = () => [...screen.controller.getState().ui.folded]
  // The lines: event, id, object, type, created, request, sequence, data, object, id, metadata.
  screen.type('return', ...Array.from({ length: 10 }, () => 'downArrow'), 'return')
  assert.equal(foldedOf(), ['/data/object/metadata'])
  screen.type('upArrow', 'return')
  assert.equal(foldedOf(), ['/data/object/metadata'])
  screen.type('downArrow', 'return')
  assert.equal(foldedOf(), [])
  screen.type('z')
  assert.equal(foldedOf(), ['/data/object/metadata', '/data/object/address'])
  screen.type('z')
  assert.equal(foldedOf(), [])
})

test('searches inside an event, unfolds its payload, and moves between the matches', () => {
  const screen = createTestScreen()
  const object = { id: 'cus_1', name: 'Ada', metadata: { note: 'adapter', id: 1 } }
  screen.addEvent(1, { object })
  const cursorOf = () => screen.controller.getState().ui.cursor
  screen.type('return', 'z', '/', ...typed('ADA'), 'return')
  const { ui } = screen.controller.getState()
  assert.equal([ui.mode, ui.find, ui.folded.size, ui.cursor], ['detail', 'ADA', 0, 10])
  screen.type('n')
  assert.is(cursorOf(), 12)
  screen.type('n')
  assert.is(cursorOf(), 10)
  screen.type('N')
  assert.is(cursorOf(), 12)
  screen.type('/', ...typed('x7'), 'return')
  assert.match(noticeOf(screen) ?? '', /No value here contains 'x7'/)
  screen.type('n')
  assert.match(noticeOf(screen) ?? '', /No match/)
})

test('in the list, Tab changes the tab only when the detail is beside the list', () => {
  for (const [columns, tab] of [
    [109, 'payload'],
    [110, 'headers'],
  ] as const) {
    const screen = screenWithFiveEvents()
    screen.typeAt({ columns, rows: 30 }, 'tab')
    const { ui } = screen.controller.getState()
    assert.equal([ui.mode, ui.tab], ['list', tab])
  }
})

test.run()
