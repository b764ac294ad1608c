import { splitMessageAtParam } from '../../../../src/dashboard/screens/requests/mark-param.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/requests/mark-param')

function marked(message: string, param: string | null): string {
  return splitMessageAtParam(message, param)
    .map(({ text, isParam }) => (isParam ? `<${text}>` : text))
    .join('')
}

test('marks the parameter as a whole word', () => {
  assert.is(
    marked('amount must be 1, but amount -5 was given', 'amount'),
    '<amount> must be 1, but <amount> -5 was given',
  )
  assert.is(marked('amount_total is not amount', 'amount'), 'amount_total is not <amount>')
  assert.is(marked('items[0].price is missing', 'items[0].price'), '<items[0].price> is missing')
})

test('returns the message without a parameter unchanged', () => {
  assert.is(marked('No such customer.', null), 'No such customer.')
  assert.is(marked('No such customer.', ''), 'No such customer.')
  assert.is(marked('No such customer.', 'id'), 'No such customer.')
})

test.run()
