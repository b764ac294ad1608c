import { assert, suite } from '../support/suite.ts'
import { createTestScreen, linesOf, screenWithThreeEvents } from './test-screen.ts'

const test = suite('tui/footer')

test('shows the key hints that fit, and the number of omitted hints', () => {
  for (const [columns, keys] of [
    [80, '? help  q quit  Enter open  r resend  R failed  / search  t trigger  +8 in help'],
    [60, '? help  q quit  Enter open  r resend  R failed  +10 in help'],
    [20, '? help  +14 in help'],
  ] as const) {
    assert.is(linesOf(screenWithThreeEvents(), { columns, rows: 20 }).at(-1), keys)
  }
  const screen = screenWithThreeEvents()
  screen.type('return')
  assert.match(linesOf(screen, { columns: 60, rows: 20 }).at(-1) ?? '', /^\? help {2}q quit {2}Esc back/)
})

test('scrolls the help and shows the number of further lines', () => {
  const size = { columns: 60, rows: 15 }
  const screen = createTestScreen()
  screen.typeAt(size, '?')
  assert.match(linesOf(screen, size).join('\n'), /↓ 13 more: press ↓ or PgDn/)
  const seen = new Set<string>()
  for (let count = 0; count < 20; count += 1) {
    for (const line of linesOf(screen, size)) seen.add(line)
    screen.typeAt(size, 'downArrow')
  }
  const lines = linesOf(screen, size)
  assert.match(lines.join('\n'), /↑ \d+ more: press ↑ or PgUp/)
  for (const key of ['↑ ↓ j k', 'g G PgUp PgDn', 'z', 'b', 'y Y c', 'x', 'q'])
    assert.ok(
      [...seen].some((line) => line.startsWith(`  ${key} `)),
      key,
    )
  screen.typeAt(size, 'pageUp', 'pageUp')
  assert.match(linesOf(screen, size)[4] ?? '', /^ {2}↑ ↓ j k +move$/)
  screen.typeAt(size, 'x')
  assert.match(linesOf(screen, size).join('\n'), /No events yet/)
})

test('the help lists every key of the footer', () => {
  const screen = createTestScreen()
  const size = { columns: 300, rows: 60 }
  const [list, detail] = [[], ['return']].map((keys) => {
    screen.addEvent(1)
    screen.typeAt(size, ...keys)
    return linesOf(screen, size).at(-1) ?? ''
  })
  screen.typeAt(size, 'escape', '?')
  const help = linesOf(screen, size).map((line) => line.slice(0, 17).trim().split(/ +/))
  const named = new Set(help.flat())
  const hints = `${list}  ${detail}`.split('  ').map((hint) => hint.split(' '))
  for (const hint of hints) {
    const keys = hint.filter((word) => /^(?:.|Enter|Esc|Tab|Space)$/u.test(word))
    for (const key of keys) assert.ok(named.has(key), `'${key}' of '${hint.join(' ')}' is not in the help`)
  }
})

test('wraps a long notice between words and shortens the list by the same number of rows', () => {
  const message = `${'It did not happen. '.repeat(6)}Start one: paycli serve`
  const screen = screenWithThreeEvents()
  screen.connect({ state: 'down', reason: message, targets: [] })
  const lines = linesOf(screen, { columns: 60, rows: 20 })
  assert.is(lines.length, 20)
  assert.is(lines.slice(-4, -1).join(' '), message)
  assert.ok(lines.slice(1).every((line) => line.length <= 60))
  assert.match(linesOf(screen, { columns: 60, rows: 10 }).at(-2) ?? '', /…$/)
  screen.connect({ targets: [] })
  assert.is(linesOf(screen).at(-2), '')
})

test.run()
