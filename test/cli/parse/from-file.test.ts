import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readParams } from '../../../src/cli/parse/from-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/from-file')

function fileOf(bytes: string | Buffer): string {
  const file = join(newFolder(), 'params.json')
  writeFileSync(file, bytes)
  return file
}

async function complaint(bytes: string | Buffer): Promise<string> {
  const error = await readParams(fileOf(bytes)).catch((thrown: unknown) => thrown)
  return String(error instanceof Error ? error.message : error).replace(/'[^']*params\.json'/, 'F')
}

test('a file is read as it is, with or without a byte order mark', async () => {
  for (const mark of ['', '\ufeff']) {
    assert.equal(await readParams(fileOf(`${mark}{"name":"Zoë 🧾 \ufffd"}`)), { name: 'Zoë 🧾 \ufffd' })
  }
})

test('what is no UTF-8 is refused and not altered', async () => {
  const latin1 = Buffer.from('{"name":"Zo\u00eb"}', 'latin1')
  assert.is(await complaint(latin1), 'The file F is no text in UTF-8.')
})

test('what is no JSON object is refused by what it is', async () => {
  assert.match(await complaint('{"name":'), /^The file F is no valid JSON: /)
  assert.is(await complaint('[]'), 'The file F holds an array, not one JSON object.')
  assert.is(await complaint('7'), 'The file F holds no object, not one JSON object.')
  assert.is(await complaint(' '.repeat(4 * 1024 * 1024 + 1)), 'The input is longer than 4194304 bytes.')
})

test.run()
