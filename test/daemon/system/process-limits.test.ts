import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOpenFileLimit, readProcessHeap } from '../../../src/daemon/system/process-limits.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/system/process-limits')

/** Reads the limit from a file with this text. */
function limitIn(text: string): number {
  const file = join(newFolder(), 'limits')
  writeFileSync(file, text)
  return readOpenFileLimit(file)
}

test('reads the soft limit of open files', () => {
  const head = 'Limit                     Soft Limit           Hard Limit           Units     \n'
  assert.is(
    limitIn(`${head}Max open files            4096                 524288               files     \n`),
    4096,
  )
})

test('assumes 1,024 open files when the limit is unlimited or cannot be read', () => {
  assert.is(limitIn('Max open files            unlimited            unlimited            files\n'), 1024)
  assert.is(readOpenFileLimit(join(newFolder(), 'missing')), 1024)
})

test('reads the heap of this process', () => {
  const { used, limit } = readProcessHeap()
  assert.ok(used > 0 && used < limit)
})

test.run()
