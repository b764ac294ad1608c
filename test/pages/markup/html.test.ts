import { createConstantHtml, html } from '../../../src/pages/markup/html.ts'
import { assert, suite } from '../../support/suite.ts'
import { HOSTILE } from '../hostile.ts'

const test = suite('html')

test('escapes text but not nested markup', () => {
  const inner = html`<b>${'<i>'}</b>`
  assert.is(
    html`<p title="${`"'\``}">${'a & b'}${inner}</p>`.toString(),
    '<p title="&quot;&#39;&#96;">a &amp; b<b>&lt;i&gt;</b></p>',
  )
})

test('joins arrays and renders empty values as an empty string', () => {
  const items = [html`<li>1</li>`, '<', 2, null, undefined, false, true, ['&', [html`<hr>`]]]
  assert.is(html`<ul>${items}</ul>`.toString(), '<ul><li>1</li>&lt;2&amp;<hr></ul>')
  assert.is(html`${null}${undefined}${false}${true}${0}${''}`.toString(), '0')
})

test('throws for objects that only look like markup', () => {
  const fake = { toString: () => '<script>' } as unknown as string
  assert.throws(() => html`${fake}`.toString())
})

test('escapes every special character of hostile text', () => {
  for (const text of HOSTILE) {
    const written = html`${text}`.toString()
    assert.not.match(written, /[<>"'`]|&(?!(?:amp|lt|gt|quot|#39|#96);)/, text)
  }
  assert.ok(HOSTILE.length >= 60)
})

test('encodes constant markup like the markup around it, at any nesting depth', () => {
  const constant = createConstantHtml(html`<i>${'日本 & €'}</i>`)
  const cases = [
    [html`${constant}`, '<i>日本 &amp; €</i>'],
    [
      html`é${[html`<p>${constant}</p>`, '<', constant]}ß`,
      'é<p><i>日本 &amp; €</i></p>&lt;<i>日本 &amp; €</i>ß',
    ],
    [createConstantHtml(html`a${constant}b`), 'a<i>日本 &amp; €</i>b'],
    [html``, ''],
  ] as const
  for (const [markup, text] of cases) {
    assert.is(String(markup), text)
    assert.equal(markup.encode(), Buffer.from(text))
  }
})

test.run()
