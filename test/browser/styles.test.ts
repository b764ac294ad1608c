import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBuiltFile } from '../../src/pages/view/built-file.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/styles')

const TEXT_ON: readonly (readonly [text: string, ground: string, least: number])[] = [
  ['text', 'ground', 7],
  ['text', 'surface', 7],
  ['text', 'error-ground', 7],
  ['quiet', 'ground', 4.5],
  ['quiet', 'surface', 4.5],
  ['accent', 'surface', 4.5],
  ['accent-strong', 'surface', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['error', 'surface', 4.5],
  ['error', 'error-ground', 4.5],
  ['badge', 'badge-ground', 4.5],
  ['good', 'good-ground', 3],
  ['field-line', 'surface', 3],
  ['accent', 'ground', 3],
]

const BASE = readFileSync(join(ROOT, 'src', 'pages', 'browser', 'styles', 'base.css'), 'utf8')

const [light = '', dark = ''] = BASE.split('(prefers-color-scheme: dark)').map((part) => part.split('}')[0])

function color(sheet: string, name: string): number[] {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(sheet)?.[1] ?? ''
  assert.is(hex.length, 6, `no color --${name}`)
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
}

function luminance(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(sheet: string, one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map((name) => luminance(color(sheet, name))).sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

for (const [name, sheet] of [
  ['light', light],
  ['dark', dark],
] as const) {
  test(`the ${name} colors have the contrasts that WCAG AA requires`, () => {
    for (const [text, ground, least] of TEXT_ON) {
      const ratio = contrast(sheet, text, ground)
      assert.ok(ratio >= least, `--${text} on --${ground} is ${ratio.toFixed(2)}, not ${least}`)
    }
  })
}

test('the style sheets load no external resources', () => {
  for (const name of ['page.css', 'plain.css', 'reference.css'])
    assert.not.match(readBuiltFile(name), /url\(|@import/)
})

test.run()
