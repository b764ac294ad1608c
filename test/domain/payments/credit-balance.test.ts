import fc from 'fast-check'
import {
  calculateBalanceFields,
  createBalanceChange,
  getAmountAfterCredit,
  getCreditBalance,
} from '../../../src/domain/payments/credit-balance.ts'
import type { Customer } from '../../../src/domain/payments/customers.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer } from '../../support/domain-samples.ts'
import { propertySettings } from '../../support/property.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/credit-balance')

function customer(balances: Customer['balances'] = {}): Customer {
  return { ...aCustomer(createRuleContext()), balances }
}

const DELETED = { id: 'cus_1', object: 'customer', deleted: true } as const

test('a customer has a balance per currency, which is 0 without a credit', () => {
  const one = customer({ eur: -500, jpy: -7 })
  assert.equal(
    ['eur', 'jpy', 'usd', 'constructor'].map((currency) => getCreditBalance(one, currency)),
    [-500, -7, 0, 0],
  )
  for (const none of [null, DELETED, customer()]) assert.is(getCreditBalance(none, 'eur'), 0)
})

/** Columns: total, starting balance → ending balance, balance applied, amount due. */
const SETTLED = [
  [1000, 0, 0, 0, 1000],
  [1000, -400, 0, 400, 600],
  [1000, -1000, 0, 1000, 0],
  [1000, -1500, -500, 1000, 0],
  [0, 0, 0, 0, 0],
  [0, -400, -400, 0, 0],
  [-300, 0, -300, -300, 0],
  [-300, -400, -700, -300, 0],
] as const

for (const [total, starting_balance, ending_balance, balance_applied, amount_due] of SETTLED) {
  test(`a total of ${total} at a balance of ${starting_balance} leaves ${ending_balance}, and ${amount_due} is due`, () => {
    const expected = { starting_balance, ending_balance, balance_applied, amount_due }
    assert.equal(calculateBalanceFields(total, starting_balance), {
      ...expected,
      amount_remaining: amount_due,
    })
    assert.ok(!Object.is(calculateBalanceFields(total, starting_balance).balance_applied, -0))
  })
}

test('the total equals the amount due plus the applied balance, and a balance never becomes positive', () => {
  const amounts = { total: fc.integer({ min: -1000, max: 1000 }), credit: fc.nat({ max: 1000 }) }
  const property = fc.property(fc.record(amounts), ({ total, credit }) => {
    const { amount_due, balance_applied, ending_balance } = calculateBalanceFields(
      total,
      credit === 0 ? 0 : -credit,
    )
    assert.is(amount_due + balance_applied, total)
    assert.ok(amount_due >= 0 && ending_balance <= 0)
    assert.ok(amount_due === 0 || ending_balance === 0, 'credit is used up before anything is due')
    assert.is(getAmountAfterCredit(total, -credit), amount_due)
  })
  fc.assert(property, { ...propertySettings, numRuns: 10_000 })
})

test('a change of a balance emits one event, and removes a balance of 0', () => {
  const [used, ...more] = createBalanceChange(customer({ jpy: -7, eur: -500 }), 'eur', 400)
  assert.equal(
    [used?.event, more.length, used?.after.balances],
    ['customer.updated', 0, { jpy: -7, eur: -100 }],
  )
  const [emptied] = createBalanceChange(customer({ jpy: -7, eur: -500 }), 'eur', 500)
  assert.equal(emptied?.after.balances, { jpy: -7 })
  const [first] = createBalanceChange(customer(), 'eur', -500)
  assert.equal([first?.before.balances, first?.after.balances], [{}, { eur: -500 }])
  assert.equal(createBalanceChange(customer(), 'eur', 0), [])
  assert.equal(createBalanceChange(DELETED, 'eur', 5), [])
})

test('rejects a credit above 2^53-1', async () => {
  const full = customer({ eur: -Number.MAX_SAFE_INTEGER })
  assert.is((await catchDomainError(() => createBalanceChange(full, 'eur', -1))).code, 'amount_too_large')
})

test.run()
