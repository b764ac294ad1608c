import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { assert, suite } from '../../support/suite.ts'
import { LANGUAGES, LONGEST, NARROW, viewsOf, WIDER } from './views.ts'

const test = suite('browser/matrix/views')

const SCHEMES = ['light', 'dark']
/** The views of each scene. */
const SCENES = CUSTOMER_SCENES.map(([name], index) =>
  LANGUAGES.flatMap((tag) => viewsOf({ index, name }, tag, false).map((view) => ({ ...view, tag }))),
)

test('checks every scene in German and Arabic at 320 px', () => {
  for (const views of SCENES) {
    const tags = views.filter(({ viewport }) => viewport === NARROW).map(({ tag }) => tag)
    for (const tag of ['de', 'ar'] as const) assert.ok(tags.includes(tag))
  }
})

test('checks the scenes with the most text in every language', () => {
  const indexes = LONGEST.map((longest) => CUSTOMER_SCENES.findIndex(([name]) => name === longest))
  assert.equal(
    indexes.map((index) => new Set(SCENES[index]?.map(({ tag }) => tag)).size),
    LONGEST.map(() => LANGUAGES.length),
  )
})

test('checks accessibility once per scene and color scheme', () => {
  for (const views of SCENES) {
    const audits = views.filter(({ rules }) => rules !== 'none')
    assert.equal(
      audits.map(({ rules, colorScheme }) => `${rules} ${colorScheme}`),
      ['all light', 'view dark'],
    )
  }
})

test('covers every pair of language, width, color scheme and accessibility check', () => {
  const found = new Set(
    SCENES.flat().flatMap(({ tag, viewport: { width }, colorScheme, rules }) => [
      `${tag} ${width}`,
      `${tag} ${colorScheme}`,
      `${width} ${colorScheme}`,
      `${tag} ${rules}`,
      `${width} ${rules}`,
    ]),
  )
  const widths = [NARROW, ...WIDER].map(({ width }) => width)
  const pairs = [
    ...LANGUAGES.flatMap((tag) => [...widths, ...SCHEMES, 'all', 'view'].map((other) => `${tag} ${other}`)),
    ...widths.flatMap((width) => SCHEMES.map((scheme) => `${width} ${scheme}`)),
    ...WIDER.map(({ width }) => `${width} all`),
  ]
  assert.equal(
    pairs.filter((pair) => !found.has(pair)),
    [],
  )
})

test('checks every width in both color schemes in a full run', () => {
  const views = viewsOf({ index: 0, name: 'subscription' }, 'de', true)
  assert.is(new Set(views.map(({ viewport, colorScheme }) => `${viewport.width} ${colorScheme}`)).size, 10)
  assert.ok(views.every(({ rules }) => rules !== 'none'))
})

test.run()
