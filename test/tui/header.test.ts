import { assert, suite } from '../support/suite.ts'
import {
  createTestScreen,
  deliveryOf,
  linesOf,
  screenWithThreeEvents,
  TARGET,
  textOf,
} from './test-screen.ts'

const test = suite('tui/header')

test('shows the connection state with its reason above an open event', () => {
  for (const [state, expected] of [
    ['connecting', /◌ connecting/],
    ['retrying', /◌ reconnecting .*No daemon/],
    ['down', /✗ reconnecting .*No daemon/],
  ] as const) {
    const screen = screenWithThreeEvents()
    screen.connect({ state, reason: 'No daemon.', targets: [] })
    screen.type('return')
    assert.match(linesOf(screen)[0] ?? '', expected)
  }
})

test('shows the name of the sandbox, and that it was reset', () => {
  const screen = createTestScreen({ sandbox: 'worker-1' })
  assert.match(linesOf(screen)[0] ?? '', /sandbox worker-1/)
  screen.controller.record({ type: 'sandbox_reset', continues_after: 7 })
  assert.match(linesOf(screen)[2] ?? '', /sandbox was reset, events kept: 7/)
  assert.not.match(linesOf(createTestScreen())[0] ?? '', /sandbox/)
})

test('shows the reason of a lost connection once', () => {
  for (const keys of [[], ['k']] as const) {
    const screen = screenWithThreeEvents()
    screen.connect({ state: 'retrying', reason: 'No daemon here.', targets: [] })
    screen.type(...keys)
    assert.is(textOf(screen).split('No daemon here.').length, 2)
  }
})

test('shows a target that is not enabled instead of the ready state, with instructions', () => {
  for (const status of ['disabled', 'deleted', 'taken'] as const) {
    const screen = screenWithThreeEvents()
    const reason = `Do something with ${status}.`
    screen.connect({ reason, targets: [{ ...TARGET, status }] })
    const lines = linesOf(screen)
    assert.match(lines[0] ?? '', new RegExp(`✗ target ${status}`))
    assert.is(lines[1], `✗ http://localhost:3000/hook (${status})`)
    assert.ok(lines.join('\n').includes(reason))
  }
})

test('shows that it connects, then its targets or that it does not forward', () => {
  const screen = createTestScreen()
  screen.connect({ state: 'connecting', targets: [] })
  assert.is(linesOf(screen)[1], 'Connecting to the server …')
  screen.connect({ targets: [TARGET] })
  assert.is(linesOf(screen)[1], `Forwarding to ○ ${TARGET.url}`)
  screen.connect({ targets: [] })
  assert.match(linesOf(screen)[1] ?? '', /^Not forwarding\./)
})

test('shows the latest result of a target while hundreds of events wait for a delivery', () => {
  const screen = createTestScreen()
  screen.addEvent(1)
  assert.match(textOf(screen), `○ ${TARGET.url}`)
  screen.controller.record(deliveryOf(1))
  for (let number = 2; number < 400; number += 1) screen.addEvent(number)
  assert.match(textOf(screen), `● ${TARGET.url}`)
  screen.controller.record(deliveryOf(2, { error: 'http_status' }))
  assert.match(textOf(screen), `✗ ${TARGET.url}`)
})

test('masks the webhook secret until S is pressed', () => {
  const screen = createTestScreen()
  screen.controller.setSecret('whsec_abc')
  assert.not.match(textOf(screen), /whsec_abc/)
  screen.type('S')
  assert.match(textOf(screen), /whsec_abc/)
})

test('shows the rate, the 95th percentile and the number of events, with singular for one event', () => {
  const screen = createTestScreen()
  screen.addEvent(1)
  screen.controller.record(deliveryOf(1, { duration_ms: 42 }))
  const lines = linesOf(screen)
  assert.match(lines[0] ?? '', / {2}0\.1 events\/s {2}p95 42 ms$/)
  assert.match(lines[2] ?? '', /^1 event {2}0 failed/)
})

test('shows the targets that fit, failed targets first, and the number of omitted targets', () => {
  const screen = createTestScreen()
  const targets = ['a', 'b', 'c', 'd'].map((name) => ({
    ...TARGET,
    webhook_endpoint: name,
    url: `http://localhost:3000/${name}`,
    status: name === 'd' ? ('disabled' as const) : ('enabled' as const),
  }))
  screen.connect({ targets })
  const targetsAt = (columns: number) => linesOf(screen, { columns, rows: 20 })[1]
  assert.is(targetsAt(80), '✗ http://localhost:3000/d (disabled)  ○ http://localhost:3000/a  +2 more')
  assert.is(targetsAt(40), '✗ http://localhost:3000/d (dis…  +3 more')
  assert.match(targetsAt(130) ?? '', /\/d .*\/a .*\/b .*\/c$/)
})

test.run()
