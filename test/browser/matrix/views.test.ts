import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { assert, suite } from '../../support/suite.ts'
import { MAIN_LANGUAGES, NARROW, viewsOf, WIDER } from './views.ts'

const test = suite('browser/matrix/views')

const SCHEMES = ['light', 'dark']
/** The views of each scene. */
const SCENES = CUSTOMER_SCENES.map((_, scene) =>
  MAIN_LANGUAGES.flatMap((tag) => viewsOf(scene, tag, false).map((view) => ({ ...view, tag }))),
)

test('checks every scene in German and Arabic at 320 px, and in one other language', () => {
  for (const views of SCENES) {
    const tags = views.filter(({ viewport }) => viewport === NARROW).map(({ tag }) => tag)
    assert.is(new Set(tags).size, 3)
    for (const tag of ['de', 'ar'] as const) assert.ok(tags.includes(tag))
  }
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

test('pairs every language with every width, color scheme and the accessibility rules', () => {
  const found = new Set(
    SCENES.flat().flatMap(({ tag, viewport: { width }, colorScheme, rules }) => [
      `${tag} ${width} ${colorScheme}`,
      `${tag} ${rules}`,
      `${width} ${rules}`,
    ]),
  )
  const widths = [NARROW, ...WIDER].map(({ width }) => width)
  const pairs = MAIN_LANGUAGES.flatMap((tag) => [
    ...widths.flatMap((width) => SCHEMES.map((scheme) => `${tag} ${width} ${scheme}`)),
    `${tag} all`,
    `${tag} view`,
  ])
  const audits = WIDER.map(({ width }) => `${width} all`)
  assert.equal(
    [...pairs, ...audits].filter((pair) => !found.has(pair)),
    [],
  )
})

test('checks every width in both color schemes in a full run', () => {
  const views = viewsOf(0, 'de', true)
  assert.is(new Set(views.map(({ viewport, colorScheme }) => `${viewport.width} ${colorScheme}`)).size, 10)
  assert.ok(views.every(({ rules }) => rules !== 'none'))
})

test.run()
