import { LANGUAGES } from '../../../src/pages/languages/language.ts'
import { handlePageRequest } from '../../../src/pages/routes.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf } from '../hosted-pages.ts'

const test = suite('pages/forms/page-response')

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

test('sends valid UTF-8 in every language, with and without a form', async () => {
  const hosted = new HostedPages()
  const description = '€ 日本語 العربية 🧾'
  const payment = pathOf(await hosted.payment({ description }))
  for (const acceptLanguage of LANGUAGES) {
    for (const path of [payment, '/sessions/none']) {
      const { body } = await handlePageRequest(
        { method: 'GET', path, form: null, acceptLanguage },
        hosted.pages,
      )
      const text = UTF_8.decode(body ?? undefined)
      assert.is(text.includes(description), path === payment)
      assert.match(text, /^<!doctype html>\n<html lang="\w+"[\s\S]*<\/html>\n$/)
    }
  }
})

test.run()
