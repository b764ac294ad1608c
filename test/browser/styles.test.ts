import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBuiltFile } from '../../src/pages/view/built-file.ts'
import { wcagContrast } from '../pages/brand/wcag-contrast.ts'
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

const SCHEMES = ['light', 'dark'] as const

function color(scheme: (typeof SCHEMES)[number], name: string): string {
  const colors = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(BASE)
  const hex = colors?.[1 + SCHEMES.indexOf(scheme)]
  if (hex === undefined) throw new Error(`no color --${name}`)
  return hex
}

for (const scheme of SCHEMES) {
  test(`the ${scheme} colors have the contrasts that WCAG AA requires`, () => {
    for (const [text, ground, least] of TEXT_ON) {
      const ratio = wcagContrast(color(scheme, text), color(scheme, ground))
      assert.ok(ratio >= least, `--${text} on --${ground} is ${ratio.toFixed(2)}, not ${least}`)
    }
  })
}

test('the style sheets load no external resources', () => {
  for (const name of ['page.css', 'plain.css']) assert.not.match(readBuiltFile(name), /url\(|@import/)
})

test.run()
