import type { LogEntry } from '../../src/daemon/log.ts'
import { createOutage } from '../../src/daemon/outage.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { assert, suite } from '../support/suite.ts'

const GONE = new DomainError('unavailable', 'The database cannot be reached just now.')
const FULL = new DomainError('storage_full', 'The disk is full.')

const test = suite('daemon/outage')

function setUp() {
  const entries: LogEntry[] = []
  const bugs: unknown[] = []
  const outage = createOutage({
    log: (entry) => entries.push(entry),
    nowMs: () => 7,
    onBug: (error) => bugs.push(error),
  })
  return { outage, entries, bugs }
}

test('an outage is told once, with what waits, and its end once', () => {
  const { outage, entries } = setUp()
  outage.over()
  for (const error of [GONE, FULL, GONE]) outage.onError(error)
  const [first] = entries
  assert.equal(entries, [
    { at_ms: 7, level: 'error', message: `${GONE.message} What is due waits until then.` },
  ])
  assert.is(first?.stack, undefined)
  // Something failed since the last time that all went well.
  outage.over()
  assert.is(entries.length, 1)
  outage.over()
  outage.over()
  assert.equal(entries.slice(1), [{ at_ms: 7, level: 'info', message: 'The database takes changes again.' }])
})

test('the log of an outage has its cause, which clients are not told', () => {
  const { outage, entries } = setUp()
  const full = new DomainError('unavailable', 'The database cannot be reached just now.')
  full.cause = new Error('sorry, too many clients already')
  outage.onError(full)
  assert.is(
    entries[0]?.message,
    `${full.message} The cause: sorry, too many clients already. What is due waits until then.`,
  )
})

test('an outage after an outage is told again', () => {
  const { outage, entries } = setUp()
  for (let time = 0; time < 2; time += 1) {
    outage.onError(GONE)
    outage.over()
    outage.over()
  }
  assert.equal(
    entries.map(({ level }) => level),
    ['error', 'info', 'error', 'info'],
  )
})

test('anything else is a bug each time, and no outage', () => {
  const { outage, entries, bugs } = setUp()
  const errors = [new Error('x'), new DomainError('customer_missing', 'No such customer.'), 'text']
  for (const error of errors) outage.onError(error)
  outage.over()
  outage.over()
  assert.equal([bugs, entries], [errors, []])
})

test.run()
