import { toCommandInput } from '../../../src/cli/request/call.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/call')

const SHORTENED = 'py_sess_…kSV9'

test('takes the id from the arguments', () => {
  const line = { args: { id: 'cus_1' }, argv: ['cus_1'], flags: { limit: 1 } }
  assert.equal(toCommandInput(line), { id: 'cus_1', words: ['cus_1'], flags: { limit: 1 } })
  assert.is(
    usageErrorFrom(() => toCommandInput({ args: { id: '' }, argv: [''], flags: {} })).code,
    'argument_missing',
  )
})

test('rejects ids that a table has shortened, in arguments and flags', () => {
  for (const line of [
    { args: { id: SHORTENED }, argv: [SHORTENED], flags: {} },
    { args: {}, argv: [], flags: { session: SHORTENED } },
    { args: {}, argv: [], flags: { types: ['payment.failed', SHORTENED] } },
  ]) {
    const { code, message, hint } = usageErrorFrom(() => toCommandInput(line))
    assert.equal([code, message], ['id_shortened', `'${SHORTENED}' is a shortened id.`])
    assert.match(hint ?? '', '--wide')
  }
})

test('accepts other texts with an ellipsis', () => {
  const words = ['cus_4bT9…', 'wait…', '…']
  assert.equal(toCommandInput({ args: {}, argv: words, flags: {} }).words, words)
})

test.run()
