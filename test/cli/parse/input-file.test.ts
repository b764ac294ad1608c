import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJsonObject } from '../../../src/cli/parse/input-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/input-file')

function writeInput(bytes: string | Buffer): string {
  const file = join(newFolder(), 'params.json')
  writeFileSync(file, bytes)
  return file
}

async function messageFor(bytes: string | Buffer): Promise<string> {
  const error = await readJsonObject(writeInput(bytes)).catch((thrown: unknown) => thrown)
  return String(error instanceof Error ? error.message : error).replace(/'[^']*params\.json'/, 'F')
}

test('reads a JSON object, with or without a byte order mark', async () => {
  for (const mark of ['', '\ufeff']) {
    assert.equal(await readJsonObject(writeInput(`${mark}{"name":"Zoë 🧾 \ufffd"}`)), {
      name: 'Zoë 🧾 \ufffd',
    })
  }
})

test('rejects text that is not UTF-8', async () => {
  const latin1 = Buffer.from('{"name":"Zo\u00eb"}', 'latin1')
  assert.is(await messageFor(latin1), 'The file F is not UTF-8 text.')
})

const JSON_ERRORS: readonly (readonly [text: string, place: string, correction: string])[] = [
  ['{"a":[1,\n]}', 'unexpected "]" at line 2, column 1', 'Remove the comma before the closing bracket.'],
  ['{"a":1,}', 'unexpected "}" at line 1, column 8', 'Remove the comma before the closing bracket.'],
  ["{'a':1}", 'unexpected "\'" at line 1, column 2', 'Write strings in double quotes.'],
  ['{a:1}', 'unexpected "a" at line 1, column 2', 'Write property names in double quotes.'],
  ['{"a":1 // x\n}', 'unexpected "/" at line 1, column 8', 'Remove the comment: JSON has no comments.'],
  [
    '{"a":1\n"b":2}',
    'unexpected "\\"" at line 2, column 1',
    'Add a comma, or a colon after a property name.',
  ],
  ['{"a":[1', 'the text ends too early at line 1, column 8', 'Add the missing end'],
  ['a: 1', 'unexpected "a" at line 1, column 1', 'Give the body of the request'],
]

for (const [text, place, correction] of JSON_ERRORS) {
  test(`names the place and the correction of invalid JSON such as ${JSON.stringify(text)}`, async () => {
    const error = await readJsonObject(writeInput(text)).catch((thrown: unknown) => thrown)
    assert.match(String(error), `is not valid JSON: ${place}.`)
    assert.match(String(Reflect.get(Object(error), 'hint')), correction)
  })
}

test('rejects input that is not a single JSON object', async () => {
  assert.match(await messageFor('{"name":'), /^The file F is not valid JSON: /)
  assert.is(await messageFor('[]'), 'The file F is not a JSON object, but an array.')
  assert.is(await messageFor('7'), 'The file F is not a JSON object.')
  assert.is(await messageFor(' '.repeat(4 * 1024 * 1024 + 1)), 'The input is longer than 4194304 bytes.')
})

test.run()
