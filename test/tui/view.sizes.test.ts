import { getLineWidth } from '../../src/tui/spans.ts'
import { TABS } from '../../src/tui/ui-state.ts'
import { renderFrame } from '../../src/tui/view.ts'
import { assert, suite } from '../support/suite.ts'
import {
  createTestScreen,
  deliveryOf,
  eventOf,
  FAILURE,
  NOON_MS,
  settled,
  TARGET,
  type TestScreen,
} from './test-screen.ts'

const test = suite('tui/view sizes')

const NAMES = ['Ada Lovelace', '支付宝 有限公司', 'Zoë Ågren', '👩‍👩‍👧 & co', 'x'.repeat(90)]

/** A screen of two targets with 5,000 events about payments, of which some failed. */
function screenWithManyEvents(): TestScreen {
  const screen = createTestScreen({
    pendingAttempts: async () => [
      {
        event: 'evt_4999',
        webhook_endpoint: 'we_1',
        attempt: 2,
        next_attempt_at: NOON_MS / 1000 + 250,
      } as never,
    ],
  })
  const { record } = screen.controller
  const other = { ...TARGET, webhook_endpoint: 'we_2', url: `http://localhost:3001/${'path/'.repeat(30)}` }
  record({ type: 'state', state: 'ready', reason: null, targets: [TARGET, other] })
  for (let number = 1; number <= 5000; number += 1) {
    const object = {
      ...{ id: `py_${number}kSV`, object: 'payment', amount: number * 7, currency: 'eur', customer: 'cus_1' },
      billing_details: { name: NAMES[number % NAMES.length], email: null },
      metadata: { note: '支付'.repeat(number % 60), order: number },
    }
    const type = number % 2 === 0 ? 'payment.succeeded' : 'invoice.payment_action_required'
    const request = `req_${Math.floor(number / 3)}`
    record({ type: 'event', event: eventOf(number, { type, object, request }) })
    if (number % 50 === 0) continue
    record(deliveryOf(number, number % 7 === 1 ? FAILURE : {}))
    record(deliveryOf(number, { webhook_endpoint: 'we_2', attempt: number % 3 === 0 ? 3 : 1 }))
  }
  screen.controller.setSecret('whsec_c2VjcmV0')
  return screen
}

const LOOKS: readonly (readonly string[])[] = [
  [],
  ['return'],
  ['downArrow', 'return'],
  ['z'],
  ['/', '支', '付', 'return'],
  ...TABS.slice(1).map(() => ['tab']),
  ['escape', 'b'],
  ['b', 'g'],
  ['b', '/', 'a', 'd', 'a', 'return'],
  ['pageUp', 'f'],
  [' ', 'S'],
  ['t', 'i'],
  ['escape', 'e', 'x', ...'y'.repeat(200)],
  ['return'],
  ['escape', '?'],
  ['downArrow'],
  ['q'],
  ['x'],
]

for (const size of [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 109, rows: 30 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 50 },
  { columns: 20, rows: 5 },
]) {
  test(`draws ${size.rows} lines of at most ${size.columns} columns in every mode with 5,000 events`, async () => {
    const screen = screenWithManyEvents()
    screen.controller.tick()
    await settled()
    for (const keys of LOOKS) {
      screen.typeAt(size, ...keys)
      const frame = renderFrame(screen.controller.getState(), size)
      assert.is(frame.length, size.rows, `after ${keys}`)
      for (const line of frame) {
        const text = line.map((one) => one.text).join('')
        assert.ok(getLineWidth(line) <= size.columns, `after ${keys}: '${text}' is too long`)
      }
    }
  })
}

test.run()
