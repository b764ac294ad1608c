import { assert, suite } from '../support/suite.ts'
import { inLanguage } from './hosted-pages.ts'
import { findPageRenderers, startCallRecorder } from './page-renderers.ts'
import { REFERENCE_SCENES } from './reference-scenes.ts'
import { CUSTOMER_SCENES } from './scenes.ts'

const test = suite('scenes')

const MAX_BYTES = 32 * 1024

/** Elements and rules that load a file. */
const LOADED = /<(?:script|img|iframe)[^>]* src=|<link[^>]* href="(?!data:)|@import|url\(|rel="stylesheet"/

/** Functions that render pages whose content a script draws; test/browser/reference.test.ts opens these pages. */
const SCRIPTED = ['renderReference']

test('the scenes call every function that renders a page without scripts', async () => {
  const all = findPageRenderers()
  assert.ok(all.length >= 20, all.join(' '))
  const watch = await startCallRecorder()
  const rendered = new Set<string>()
  for (const [, render] of [...CUSTOMER_SCENES, ...REFERENCE_SCENES]) {
    for (const name of (await watch.during(render)).called) rendered.add(name)
  }
  watch.close()
  const missed = all.filter((name) => !rendered.has(name) && !SCRIPTED.includes(name))
  assert.equal(missed, [], 'add a scene for each in test/pages/')
})

test('every page is one response of at most 32 KiB in the language with the longest texts', async () => {
  for (const [name, render] of CUSTOMER_SCENES) {
    const { body } = await inLanguage('ar', render)
    const bytes = Buffer.byteLength(body)
    assert.ok(bytes <= MAX_BYTES, `${name}: ${bytes} bytes`)
    assert.not.match(body, LOADED)
  }
})

test('every scene has a unique name', () => {
  const names = CUSTOMER_SCENES.map(([name]) => name)
  assert.equal([...new Set(names)], names)
})

test.run()
