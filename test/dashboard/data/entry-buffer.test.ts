import { createEntryBuffer, MAX_ENTRIES } from '../../../src/dashboard/data/entry-buffer.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/entry-buffer')

test('returns entries in their order, and the same array while nothing changes', () => {
  const buffer = createEntryBuffer<number>()
  buffer.add(1, 2)
  buffer.add(3)
  const entries = buffer.entries()
  assert.equal(entries, [1, 2, 3])
  assert.ok(buffer.entries() === entries)
  buffer.add(4)
  assert.equal(buffer.entries(), [1, 2, 3, 4])
  assert.equal(entries, [1, 2, 3])
})

test('keeps the newest entries', () => {
  const buffer = createEntryBuffer<number>()
  for (let at = 0; at < 3 * MAX_ENTRIES; at += 1) buffer.add(at)
  const entries = buffer.entries()
  assert.is(entries.length, MAX_ENTRIES)
  assert.is(entries.at(-1), 3 * MAX_ENTRIES - 1)
  assert.is(entries[0], 2 * MAX_ENTRIES)
})

test('is empty after a reset of the sandbox', () => {
  const buffer = createEntryBuffer<number>()
  buffer.add(1)
  buffer.entries()
  buffer.add(2)
  buffer.clear()
  assert.equal(buffer.entries(), [])
})

test.run()
