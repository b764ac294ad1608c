import { isId, shortenIds } from '../../../src/cli/views/short-ids.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/short-ids')

const A = 'py_sess_uJGQpwTrWXqJ7xvA7eQr4ae0'
const B = 'py_sess_uJGQpwTrWXqJ7xvA7eQX4ae0'

test('recognizes ids, and rejects other strings', () => {
  assert.ok(isId(A))
  for (const other of ['Ada', 'py_sess_1', 'insufficient_funds', '', null, 12, `${A} `, `x${A}/pay`]) {
    assert.not.ok(isId(other), String(other))
  }
})

test('keeps the prefix and the last four characters', () => {
  assert.equal(shortenIds([A, A]), ['py_sess_…4ae0', 'py_sess_…4ae0'])
  assert.equal(shortenIds([`/v1/payment_sessions/${A}/expire`, '-']), [
    '/v1/payment_sessions/py_sess_…4ae0/expire',
    '-',
  ])
  assert.is(shortenIds(['paid', '-']), null)
})

test('keeps enough characters to distinguish the ids', () => {
  assert.equal(shortenIds([A, B]), ['py_sess_…r4ae0', 'py_sess_…X4ae0'])
  assert.equal(shortenIds([A, 'cus_uJGQpwTrWXqJ7xvA7eQr4ae0']), ['py_sess_…4ae0', 'cus_…4ae0'])
})

test.run()
