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

test('rejects input that is not a single JSON object', async () => {
  assert.match(await messageFor('{"name":'), /^The file F is not valid JSON: /)
  assert.is(await messageFor('[]'), 'The file F is not a JSON object, but an array.')
  assert.is(await messageFor('7'), 'The file F is not a JSON object.')
  assert.is(await messageFor(' '.repeat(4 * 1024 * 1024 + 1)), 'The input is longer than 4194304 bytes.')
})

test.run()
