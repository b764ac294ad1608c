import { createHyperlinkFormatter, hasHyperlinkSupport } from '../../../src/cli/output/hyperlink.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/hyperlink')

const CASES: readonly (readonly [env: Record<string, string>, isColored: boolean, expected: boolean])[] = [
  [{ TERM: 'xterm-256color' }, true, false],
  [{ TERM_PROGRAM: 'iTerm.app' }, true, true],
  [{ TERM_PROGRAM: 'iTerm.app' }, false, false],
  [{ TERM_PROGRAM: 'vscode', CI: 'true' }, true, false],
  [{ TERM_PROGRAM: 'vscode', TERM: 'dumb' }, true, false],
  [{ VTE_VERSION: '7006' }, true, true],
  [{ VTE_VERSION: '4600' }, true, false],
  [{ WT_SESSION: 'a-session' }, true, true],
  [{ TERM: 'xterm-kitty' }, true, true],
  [{ FORCE_HYPERLINK: '1' }, false, true],
  [{ FORCE_HYPERLINK: '0', TERM: 'xterm-kitty' }, true, false],
]

for (const [env, isColored, expected] of CASES) {
  const colors = isColored ? 'with' : 'without'
  test(`${expected ? 'uses' : 'omits'} hyperlinks ${colors} colors and ${JSON.stringify(env)}`, () => {
    assert.is(hasHyperlinkSupport(env, isColored), expected)
  })
}

test('links only a valid web address, and escapes its control characters', () => {
  const link = createHyperlinkFormatter(true)
  assert.is(link('x', 'http://a.test/b'), '\u001b]8;;http://a.test/b\u001b\\x\u001b]8;;\u001b\\')
  assert.is(link('x', 'http://a.test/\u001b\\'), '\u001b]8;;http://a.test/%1B/\u001b\\x\u001b]8;;\u001b\\')
  assert.is(link('x', 'javascript:alert(1)'), 'x')
  assert.is(link('x', 'http://'), 'x')
  assert.is(createHyperlinkFormatter(false)('x', 'http://a.test/'), 'x')
})

test.run()
