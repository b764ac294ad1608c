import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { deriveBrandColors } from '../../../src/pages/brand/brand-colors.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'
import { wcagContrast } from './wcag-contrast.ts'

const test = suite('brand-colors')

const GROUNDS = { light: ['#f4f5f8', '#ffffff'], dark: ['#10131a', '#1a1e28'] } as const

function requireContrasts(color: string): void {
  const colors = deriveBrandColors(color)
  for (const mode of ['light', 'dark'] as const) {
    const { accent, accentStrong, fill, fillStrong, onFill } = colors[mode]
    for (const ground of [fill, fillStrong])
      assert.ok(wcagContrast(onFill, ground) >= 4.5, `${color}: text of a button, ${mode}`)
    for (const ground of GROUNDS[mode])
      for (const link of [accent, accentStrong])
        assert.ok(wcagContrast(link, ground) >= 4.5, `${color}: link on ${ground}, ${mode}`)
  }
}

test('the background colors of this test are those of the style sheet', () => {
  const css = readFileSync(join(ROOT, 'src/pages/browser/styles/base.css'), 'utf8')
  const grounds = [...css.matchAll(/--(?:ground|surface): light-dark\((#\w{6}), (#\w{6})\);/g)]
  assert.equal(
    grounds.flatMap(([, light, dark]) => [light, dark]),
    GROUNDS.light.flatMap((light, index) => [light, GROUNDS.dark[index]]),
  )
})

test('gives buttons and links of 1000 random colors a contrast of at least 4.5', () => {
  const channel = fc.integer({ min: 0, max: 0xffffff })
  const color = channel.map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(fc.property(color, requireContrasts), { numRuns: 1000 })
})

test('gives buttons and links of extreme colors a contrast of at least 4.5', () => {
  for (const color of [
    '#000000',
    '#ffffff',
    '#767676',
    '#777777',
    '#ffff00',
    '#0000ff',
    '#ff0000',
    '#00ff00',
  ])
    requireContrasts(color)
})

test('keeps a color that has enough contrast', () => {
  const { light } = deriveBrandColors('#7a3b1d')
  assert.is(light.fill, '#7a3b1d')
  assert.is(light.accent, '#7a3b1d')
  assert.is(light.onFill, '#fff')
})

test('darkens the links of a bright brand color on light pages, and uses black text on its buttons', () => {
  const { light, dark } = deriveBrandColors('#ffb300')
  assert.is(light.fill, '#ffb300')
  assert.is(light.onFill, '#000')
  assert.is.not(light.accent, '#ffb300')
  assert.is(dark.accent, '#ffb300')
})

test('gives a button a visible color when the brand color equals the background', () => {
  const light = deriveBrandColors('#ffffff').light.fill
  const dark = deriveBrandColors('#1a1e28').dark.fill
  assert.ok(wcagContrast(light, '#f4f5f8') >= 1.5)
  assert.ok(wcagContrast(dark, '#1a1e28') >= 1.5)
})

test.run()
