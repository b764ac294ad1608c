import { createProgressDisplay, createStatusLine } from '../../../src/cli/output/progress.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/progress')

/** Creates a stream that records the written text. */
function stream(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  return { written, stream: { isTTY, write } as unknown as NodeJS.WriteStream }
}

test('prints each percentage once, and only for large totals', () => {
  const { written, stream: terminal } = stream(true)
  const progress = createProgressDisplay('Loading', terminal)
  progress.show(1, 1000)
  progress.show(10_000_000, 100_000_000)
  progress.show(10_000_001, 100_000_000)
  progress.clear()
  assert.equal(written, ['\rLoading  10 %', `\r${' '.repeat(13)}\r`])
})

test('overwrites and clears the status line on a terminal', () => {
  const { written, stream: terminal } = stream(true)
  const line = createStatusLine(terminal)
  line.clear()
  line.show('ten %')
  line.show('ten %')
  line.show('50 %')
  line.clear()
  assert.equal(written, ['\rten %', '\r50 % ', '\r    \r'])
})

test('prints each status on its own line when the output is not a terminal', () => {
  const { written, stream: file } = stream(false)
  const line = createStatusLine(file)
  line.show('a')
  line.show('a')
  line.show('b')
  line.clear()
  assert.equal(written, ['a\n', 'b\n'])
})

test.run()
