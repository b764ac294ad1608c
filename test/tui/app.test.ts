import { cleanup, render } from 'ink-testing-library'
import { createElement } from 'react'
import { getDisplayWidth } from '../../src/domain/text/display-width.ts'
import { ListenScreen } from '../../src/tui/app.ts'
import { assert, suite } from '../support/suite.ts'
import { CUSTOMER, createTestScreen, deliveryOf, eventOf, FAILURE } from './test-screen.ts'

const test = suite('tui/app')

test.after(() => cleanup())

/** Runs the event loop until the condition is true. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

test('draws the lines of a terminal with wide characters and follows 5,000 events', async () => {
  const size = { columns: 60, rows: 15 }
  const { controller } = createTestScreen()
  const { lastFrame, unmount } = render(createElement(ListenScreen, { store: controller, size }))
  await until(() => /● ready/.test(lastFrame() ?? ''))
  for (let number = 1; number <= 5000; number += 1) {
    controller.record({ type: 'event', event: eventOf(number, { object: { ...CUSTOMER, name: '支付宝' } }) })
    controller.record(deliveryOf(number, number === 5000 ? FAILURE : {}))
  }
  await until(() => /› 12:05:09 {2}customer\.created .*500 attempt 1/.test(lastFrame() ?? ''))
  const lines = (lastFrame() ?? '').split('\n')
  assert.is(lines.length, size.rows)
  assert.ok(lines.every((line) => getDisplayWidth(line) <= size.columns))
  unmount()
})

test('handles keys from the terminal, including several keys in one input', async () => {
  const { controller, calls } = createTestScreen()
  controller.record({ type: 'event', event: eventOf(1) })
  controller.record({ type: 'event', event: eventOf(2) })
  const { lastFrame, stdin, unmount } = render(
    createElement(ListenScreen, { store: controller, size: { columns: 80, rows: 24 } }),
  )
  await until(() => stdin.listenerCount('readable') > 0)
  stdin.write('k\r')
  await until(() => /"id": "evt_1"/.test(lastFrame() ?? ''))
  stdin.write('\t')
  await until(() => !/"id": "evt_1"/.test(lastFrame() ?? ''))
  stdin.write('q')
  await until(() => calls.length === 1)
  stdin.write('\u0003')
  await until(() => calls.length === 2)
  assert.equal(calls, ['quit false', 'quit true'])
  await until(() =>
    /Finishing pending deliveries\. Press again to quit immediately\./.test(lastFrame() ?? ''),
  )
  unmount()
})

test.run()
