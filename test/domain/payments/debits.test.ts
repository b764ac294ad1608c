import { findTestIban, listIbanErrors, TEST_IBANS } from '../../../src/domain/cards/test-ibans.ts'
import {
  findDebitFailure,
  findDebitOutcomeTime,
  resolveTestIban,
} from '../../../src/domain/payments/debits.ts'
import { createPayment } from '../../../src/domain/payments/payments.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aPayment } from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/debits')

const context = createRuleContext()

/** Returns a payment that debits the account of a test IBAN. */
function aDebit(alias: string) {
  const { card } = resolveTestIban({ iban: findTestIban(alias)?.iban ?? '', name: 'Ada' }, context)
  const { customer, currency } = aPayment(context)
  const fields = { id: 'py_1', amount: 500, customer, currency, off_session: false, test_clock: null, card }
  return createPayment(fields, context).after
}

test('each test IBAN is valid, and its name and number are unique', () => {
  for (const { iban, alias } of TEST_IBANS) {
    assert.equal(listIbanErrors(iban), [])
    assert.equal(listIbanErrors(iban.toLowerCase().replace(/(.{4})/g, '$1 ')), [])
    assert.is(findTestIban(iban), findTestIban(alias))
  }
  assert.is(new Set(TEST_IBANS.map(({ iban }) => iban.slice(-4))).size, TEST_IBANS.length)
})

test('an IBAN with any other check digits, and one of a real account, is not valid', async () => {
  const { iban } = TEST_IBANS[0] ?? { iban: '' }
  for (let digits = 0; digits < 100; digits += 1) {
    const changed = `DE${String(digits).padStart(2, '0')}${iban.slice(4)}`
    assert.is(listIbanErrors(changed).length, changed === iban ? 0 : 1)
  }
  for (const other of ['', 'DE', 'GB82 WEST 1234 5698 7654 32', 'FR14 2004 1010 0505 0001 3M02 606'])
    assert.is(listIbanErrors(other)[0]?.param, 'iban')
  const { errors } = await catchDomainError(() =>
    resolveTestIban({ iban: 'DE00', name: '4242424242424242' }, context),
  )
  assert.equal(
    errors.map(({ param }) => param),
    ['iban', 'name'],
  )
})

/** Name, days until the outcome, and the failure code. */
const OUTCOMES = [
  ['sepa_debit', 3, null],
  ['sepa_debit_fails', 3, 'insufficient_funds'],
  ['sepa_debit_disputed', 3, null],
  ['sepa_debit_slow', 7, null],
] as const

for (const [alias, days, code] of OUTCOMES) {
  test(`a debit of ${alias} ${code === null ? 'succeeds' : 'fails'} after ${days} days`, () => {
    const payment = aDebit(alias)
    assert.is(findDebitOutcomeTime(payment), START + days * DAY)
    assert.is(findDebitFailure(payment, context)?.code ?? null, code)
    assert.is(findDebitOutcomeTime({ ...payment, status: 'succeeded' }), null)
  })
}

test('a card payment has no outcome later', () => {
  assert.is(findDebitOutcomeTime({ ...aPayment(context), status: 'processing' }), null)
})

test.run()
