import { LANGUAGES } from '../../../src/pages/languages/language.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf } from '../hosted-pages.ts'

const test = suite('pages/view/assets')

test('encodes a page as UTF-8, in every language, with and without a form', async () => {
  const hosted = new HostedPages()
  const paths = [pathOf(await hosted.payment({ description: '€ 日本語 العربية 🧾' })), '/sessions/none']
  for (const acceptLanguage of LANGUAGES) {
    for (const path of paths) {
      const { body, bytes } = await hosted.serve({ path, acceptLanguage })
      assert.match(body, /^<!doctype html>\n<html lang="\w+"[\s\S]*<\/html>\n$/)
      assert.equal(bytes, Buffer.from(body))
    }
  }
})

test.run()
