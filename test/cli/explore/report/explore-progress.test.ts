import { PassThrough } from 'node:stream'
import { createExplorationDisplay } from '../../../../src/cli/explore/report/explore-progress.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE } from '../sample-runs.ts'

const test = suite('cli/explore/explore-progress')

/** Returns the output for a new difference on a terminal of 80 columns, or in a log. */
function announce(isTTY: boolean): string {
  const stream = new PassThrough({ encoding: 'utf8' })
  const display = createExplorationDisplay(Object.assign(stream, { isTTY, columns: 80 }) as never)
  display.announce({ schedule: [DUPLICATE], text: 'orders: 2 entries instead of 1', elapsedMs: 6600 })
  return String(stream.read())
}

test('wraps a new difference at the terminal width, and prints it as one line in a log', () => {
  const lines = announce(true).trimEnd().split('\n')
  assert.is(Math.max(...lines.map(({ length }) => length)) <= 80, true)
  assert.is(announce(false), `${lines.join(' ')}\n`)
})

test.run()
