import type { LogEntry } from '../../../src/daemon/system/log.ts'
import { createOutageLog } from '../../../src/daemon/system/outage-log.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const GONE = new DomainError('unavailable', 'The database is not available.')
const FULL = new DomainError('storage_full', 'The disk is full.')

const test = suite('daemon/system/outage-log')

function setUp() {
  const entries: LogEntry[] = []
  const outage = createOutageLog((entry) => entries.push(entry), { nowMs: () => 7 })
  return { outage, entries }
}

test('logs one entry for the start and one entry for the end of an outage', () => {
  const { outage, entries } = setUp()
  outage.onSuccess()
  for (const error of [GONE, FULL, GONE]) outage.onError(error)
  const [first] = entries
  assert.equal(entries, [
    {
      at_ms: 7,
      level: 'error',
      message: `${GONE.message} Background jobs wait until the store is available.`,
    },
  ])
  assert.is(first?.stack, undefined)
  // The first success after a failure does not end the outage.
  outage.onSuccess()
  assert.is(entries.length, 1)
  outage.onSuccess()
  outage.onSuccess()
  assert.equal(entries.slice(1), [
    { at_ms: 7, level: 'info', message: 'The database accepts changes again.' },
  ])
})

test('logs the cause of an outage, but does not send it to clients', () => {
  const { outage, entries } = setUp()
  const full = new DomainError('unavailable', 'The database is not available.')
  full.cause = new Error('sorry, too many clients already')
  outage.onError(full)
  assert.is(
    entries[0]?.message,
    `${full.message} The cause: sorry, too many clients already. Background jobs wait until the store is available.`,
  )
})

test('logs a second outage after the end of the first outage', () => {
  const { outage, entries } = setUp()
  for (let time = 0; time < 2; time += 1) {
    outage.onError(GONE)
    outage.onSuccess()
    outage.onSuccess()
  }
  assert.equal(
    entries.map(({ level }) => level),
    ['error', 'info', 'error', 'info'],
  )
})

test('reports an error without an outage as an internal error', () => {
  const { outage, entries } = setUp()
  const errors = [new Error('x'), new DomainError('customer_missing', 'No such customer.')]
  for (const error of errors) outage.onError(error)
  outage.onSuccess()
  outage.onSuccess()
  const [at_ms, level, message] = [7, 'error' as const, 'background job failed']
  assert.equal(
    entries,
    errors.map(({ stack = '' }) => ({ at_ms, level, message, stack })),
  )
})

test.run()
