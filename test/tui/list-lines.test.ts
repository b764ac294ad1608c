import { renderFrame } from '../../src/tui/view.ts'
import { assert, suite } from '../support/suite.ts'
import {
  createTestScreen,
  deliveryOf,
  FAILURE,
  linesOf,
  NOON_MS,
  SIZE,
  screenWithThreeEvents,
  settled,
} from './test-screen.ts'

const test = suite('tui/list-lines')

test('shows the time of the next attempt of a failed delivery in the list', async () => {
  const retry = {
    ...{ event: 'evt_2', webhook_endpoint: 'we_1', attempt: 2, next_attempt_at: NOON_MS / 1000 + 240 },
  }
  const screen = createTestScreen({ pendingAttempts: async () => [retry as never] })
  for (const number of [1, 2, 3]) {
    screen.addEvent(number)
    screen.controller.record(deliveryOf(number, number === 2 ? FAILURE : { attempt: number }))
  }
  screen.controller.tick()
  await settled()
  const resultsAt = (columns: number) =>
    linesOf(screen, { columns, rows: 24 })
      .slice(4, 7)
      .map((line) => line.replace(/^.*? (?=[25]00 )/, ''))
  assert.equal(resultsAt(80), ['200 23 ms', '500 retry in 4 m', '200 23 ms attempt 3'])
  assert.is(resultsAt(100)[1], '500 attempt 1, retry in 4 m')
  assert.is(resultsAt(60)[2], '200 attempt 3')
  screen.controller.record(deliveryOf(2, { attempt: 2, trigger: 'manual' }))
  assert.is(resultsAt(80)[1], '200 23 ms resend 2')
})

test('cuts a long type before its last word, which distinguishes types', () => {
  const screen = createTestScreen()
  for (const [at, type] of ['checkout_session.created', 'checkout_session.completed'].entries())
    screen.addEvent(at, { type })
  const lines = linesOf(screen, { columns: 60, rows: 15 }).join('\n')
  assert.match(lines, / checko?u?t?_?s?….created /)
  assert.match(lines, / che?c?k?o?u?t?….completed /)
})

test('shows the selected row inverse over its full width', () => {
  const [, , , , , , row = []] = renderFrame(screenWithThreeEvents().controller.getState(), SIZE)
  assert.ok(row.every(({ isInverse }) => isInverse === true))
  assert.is(row.map(({ text }) => text).join('').length, SIZE.columns)
})

test('shows the creation time of the event, not its arrival time', () => {
  const screen = createTestScreen()
  screen.addEvent(1, { created: NOON_MS / 1000 - 3600 })
  assert.match(linesOf(screen)[4] ?? '', /^› 11:05:09 {2}customer/)
})

test.run()
