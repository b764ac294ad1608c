import { createHyperlink } from '../../../src/cli/output/hyperlink.ts'
import { renderJson } from '../../../src/cli/output/output.ts'
import { renderData } from '../../../src/cli/output/render-response.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { formatResponse } from '../../../src/cli/views/text-view.ts'
import { assert, suite } from '../../support/suite.ts'

const VIEW = {
  style: createStyle(false),
  link: createHyperlink(false),
  width: 10_000,
  isWide: false,
  now: 0,
  names: new Map(),
  sandbox: null,
}
const LIST = { object: 'list', has_more: false }

/** Names that attack the terminal on which they are listed. */
const HOSTILE: readonly string[] = [
  '\u001b[2J\u001b[H',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001bP$q"p\u001b\\',
  '\u009b31m',
  '\u009d8;;x\u009c',
  'over\rwritten',
  'back\b\b\b\bspace',
  '\u0000\u0007\u000b\u000c\u007f',
  'invoice\u202efdp.exe',
  '\u2066isolate\u2069 \u200emark\u200f \u061c',
  'zero\u200bwidth\u200c\u200d\u2060\ufeff',
  'line\u2028paragraph\u2029',
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern of characters that must not occur
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

const hostile = suite('hostile text')

for (const text of HOSTILE) {
  hostile(`escapes ${JSON.stringify(text)} in every output format`, () => {
    const customer = {
      id: text,
      object: 'customer',
      email: text,
      name: text,
      created: 0,
      metadata: { [text]: text },
    }
    const list = { ...LIST, data: [customer] }
    const forms = [
      formatResponse(customer, VIEW).text,
      formatResponse(customer, { ...VIEW, isWide: true }).text,
      formatResponse(list, VIEW).text,
      formatResponse({ ...customer, items: [customer] }, VIEW).text,
      renderData(customer, []),
      renderData(customer, ['name', 'metadata']),
      renderData(list, ['data[].name', 'data[].email']),
    ]
    for (const form of forms) assert.not.match(form.replaceAll('\t', ''), HARMFUL)
    assert.is(formatResponse(list, VIEW).text.split('\n').length, 3, 'one header and one row')
    assert.equal(JSON.parse(renderJson(customer)), customer, 'the JSON value is unchanged')
  })
}

hostile.run()
