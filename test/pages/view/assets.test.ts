import { LANGUAGES } from '../../../src/pages/languages/language.ts'
import { encodePage, SCRIPT_ELEMENT, STYLE_ELEMENT } from '../../../src/pages/view/assets.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf } from '../hosted-pages.ts'

const test = suite('pages/view/assets')

test('encodes a page as UTF-8, in every language, with and without a form', async () => {
  const hosted = new HostedPages()
  const paths = [pathOf(await hosted.payment({ description: '€ 日本語 العربية 🧾' })), '/sessions/none']
  for (const acceptLanguage of LANGUAGES) {
    for (const path of paths) {
      const { body } = await hosted.serve({ path, acceptLanguage })
      assert.equal(encodePage(body), Buffer.from(body))
    }
  }
})

for (const [name, body] of Object.entries({
  'an empty text': '',
  'a text without style and script': '<p>é 🧾</p>',
  'a style after a script': `${SCRIPT_ELEMENT}é${STYLE_ELEMENT}🧾`,
  'a script twice': `${SCRIPT_ELEMENT}é${SCRIPT_ELEMENT}`,
})) {
  test(`encodes ${name} as UTF-8`, () => {
    assert.equal(encodePage(body), Buffer.from(body))
  })
}

test.run()
