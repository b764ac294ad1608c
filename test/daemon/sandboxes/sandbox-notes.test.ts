import { createSandboxNotes } from '../../../src/daemon/sandboxes/sandbox-notes.ts'
import { createIds } from '../../../src/daemon/system/ids.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/sandbox-notes')

const LAST = { isDurable: true, bytes: 0, counts: { objects: 1, events: 2 }, wakesAt: 100 }

function setUp() {
  const variants: string[] = []
  const notes = createSandboxNotes((variant) => {
    variants.push(variant)
    return createIds()
  })
  return { notes, variants }
}

test('creates the generators of a sandbox once, and anew after it was deleted', () => {
  const { notes, variants } = setUp()
  assert.is(notes.knownIds('sbx_1'), undefined)
  const ids = notes.idsOf('sbx_1')
  assert.is(notes.idsOf('sbx_1'), ids)
  assert.is(notes.knownIds('sbx_1'), ids)
  notes.forget('sbx_1')
  assert.is.not(notes.idsOf('sbx_1'), ids)
  assert.equal(variants, ['', ''])
})

test('keeps the generators that a copy was created with', () => {
  const { notes, variants } = setUp()
  const ids = notes.addIds('sbx_1', 'copy 1')
  assert.is(notes.idsOf('sbx_1'), ids)
  assert.equal(variants, ['copy 1'])
})

test('keeps the last state of a sleeping sandbox until it is closed without one, dropped or deleted', () => {
  const { notes } = setUp()
  const endings: readonly (() => void)[] = [
    () => notes.noteSleep('sbx_1', null),
    () => notes.dropSleep('sbx_1'),
    () => notes.dropSleep(null),
    () => notes.forget('sbx_1'),
  ]
  for (const end of endings) {
    notes.noteSleep('sbx_1', LAST)
    assert.equal([...notes.allSleeping()], [['sbx_1', LAST]])
    assert.is(notes.sleeping('sbx_1'), LAST)
    end()
    assert.is(notes.sleeping('sbx_1'), undefined)
    assert.equal([...notes.allSleeping()], [])
  }
})

test('dropping one sleeping sandbox keeps the others', () => {
  const { notes } = setUp()
  for (const id of ['sbx_1', 'sbx_2']) notes.noteSleep(id, LAST)
  notes.dropSleep('sbx_1')
  assert.equal([...notes.allSleeping()], [['sbx_2', LAST]])
})

test('an expiry applies from its second on, until it is extended, unset or the sandbox is deleted', () => {
  const { notes } = setUp()
  const note = (expires_at: number | null) => notes.noteExpiry({ id: 'sbx_1', expires_at })
  assert.is(notes.hasExpired('sbx_1', 1000), false)
  note(100)
  assert.equal([notes.hasExpired('sbx_1', 99), notes.hasExpired('sbx_1', 100)], [false, true])
  note(200)
  assert.is(notes.hasExpired('sbx_1', 100), false)
  note(null)
  assert.is(notes.hasExpired('sbx_1', 1000), false)
  note(100)
  notes.forget('sbx_1')
  assert.is(notes.hasExpired('sbx_1', 1000), false)
})

test.run()
