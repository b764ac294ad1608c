import { cleanup, render } from 'ink-testing-library'
import { createElement } from 'react'
import { App } from '../../src/tui/app.ts'
import { assert, suite } from '../support/suite.ts'
import { BROKEN, deliveryOf, eventOf, stage } from './scenes.ts'

const test = suite('tui/app')

test.after(() => cleanup())

/** Lets what is under way have its turns until something is so, however many that takes. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 50, rows: 12 },
  { columns: 100, rows: 40 },
]) {
  test(`a frame at ${size.columns}×${size.rows} fits, and follows what happens`, async () => {
    const { direction } = stage()
    const { lastFrame, unmount } = render(createElement(App, { stage: direction, size }))
    await until(() => /● ready/.test(lastFrame() ?? ''))
    for (let number = 1; number <= 60; number += 1) {
      direction.record({ type: 'event', event: eventOf(number) })
      direction.record(deliveryOf(number, number === 60 ? BROKEN : {}))
    }
    await until(() => /› 12:05:09 {2}customer\.created .* ?500 23 ms #1/.test(lastFrame() ?? ''))
    const lines = (lastFrame() ?? '').split('\n')
    assert.is(lines.length, size.rows)
    assert.ok(lines.every((line) => line.length <= size.columns))
    unmount()
  })
}

test('keys of the terminal reach the screen, also when several come at once', async () => {
  const { direction, asked } = stage()
  direction.record({ type: 'event', event: eventOf(1) })
  direction.record({ type: 'event', event: eventOf(2) })
  const { lastFrame, stdin, unmount } = render(
    createElement(App, { stage: direction, size: { columns: 80, rows: 24 } }),
  )
  await until(() => stdin.listenerCount('readable') > 0)
  stdin.write('k\r')
  await until(() => /"id": "evt_1"/.test(lastFrame() ?? ''))
  stdin.write('\t')
  await until(() => !/"id": "evt_1"/.test(lastFrame() ?? ''))
  stdin.write('q')
  await until(() => asked.length === 1)
  stdin.write('\u0003')
  await until(() => asked.length === 2)
  assert.equal(asked, ['quit false', 'quit true'])
  await until(() => /Finishing what is on its way; once more ends at once\./.test(lastFrame() ?? ''))
  unmount()
})

test.run()
