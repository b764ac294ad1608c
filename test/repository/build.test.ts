import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('repository/build')

const { hashSources } = (await import(join(ROOT, 'bin', 'sources.js'))) as {
  readonly hashSources: (root: string) => string
}

test('the hash of the sources depends only on the name and the contents of each source', () => {
  const root = newFolder()
  mkdirSync(join(root, 'src'))
  const file = join(root, 'src', 'a.ts')
  writeFileSync(file, 'one')
  const hashes = [hashSources(root)]
  const changes = [
    () => writeFileSync(file, 'two'),
    () => renameSync(file, join(root, 'src', 'b.ts')),
    () => writeFileSync(join(root, 'package-lock.json'), '{}'),
    () => rmSync(join(root, 'src', 'b.ts')),
  ]
  for (const change of changes) {
    change()
    hashes.push(hashSources(root))
  }
  assert.is(new Set(hashes).size, hashes.length)
  writeFileSync(join(root, 'README.md'), 'text')
  writeFileSync(join(root, 'src', 'notes.txt'), 'text')
  assert.is(hashSources(root), hashes.at(-1))
})

test('the bundle has a single file for the code that many commands share, and this file imports no other file', () => {
  const chunks = join(ROOT, 'dist', 'bundle', 'chunks')
  const shared = readdirSync(chunks).filter((name) => name.startsWith('shared-'))
  assert.is(shared.length, 1)
  assert.not.match(readFileSync(join(chunks, shared[0] ?? ''), 'utf8'), / from "\.\//)
})

test.run()
