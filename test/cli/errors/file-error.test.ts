import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileReadError } from '../../../src/cli/errors/file-error.ts'
import { readInputFile, readJsonObject } from '../../../src/cli/parse/input-file.ts'
import { readLogoFile } from '../../../src/cli/parse/logo-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/file-error')

const DETAILS = { param: 'body', hint: 'Give a body.' }

function errorOf(path: string) {
  try {
    return readFileSync(path)
  } catch (error) {
    return createFileReadError(path, error, DETAILS)
  }
}

async function readErrorOf(read: () => unknown): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    return error
  }
}

const missing = join(newFolder(), 'none.json')
const here = `There is no file 'none.json' in ${process.cwd()}.`
const there = `There is no file '${missing}'.`

test('names a missing file and the folder in which it was searched', () => {
  assert.is(Reflect.get(errorOf('none.json'), 'param'), 'body')
  assert.match(String(errorOf('none.json')), here)
  assert.match(String(Reflect.get(errorOf('none.json'), 'hint')), 'Check the path, or give an absolute path.')
  assert.match(String(errorOf(missing)), there)
  assert.match(String(Reflect.get(errorOf(missing), 'hint')), 'Check the path.')
})

test('reports a folder, and keeps the hint of the command', () => {
  const error = errorOf(newFolder())
  assert.match(String(error), 'is a folder, not a file.')
  assert.is(Reflect.get(error, 'hint'), DETAILS.hint)
})

test('every command that reads a file reports a missing file in the same words', async () => {
  for (const read of [readJsonObject, readInputFile, readLogoFile]) {
    assert.match(String(await readErrorOf(() => read('none.json'))), here, read.name)
    assert.match(String(await readErrorOf(() => read(missing))), there, read.name)
  }
})

test.run()
