import {
  isWalletOffered,
  listMethodTypeErrors,
  requireOffered,
} from '../../../src/domain/sessions/payment-method-types.ts'
import type { Session } from '../../../src/domain/sessions/sessions.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/payment-method-types')

const SESSION: Session = {
  id: 'py_sess_1',
  object: 'payment_session',
  status: 'open',
  url: 'http://127.0.0.1/',
  expires_at: 0,
}

test('requires the card in addition to the wallet', () => {
  for (const payment_method_types of [
    undefined,
    ['card'],
    ['card', 'wallet'],
    ['wallet', 'card'],
    ['sepa_debit'],
  ])
    assert.equal(listMethodTypeErrors({ ...(payment_method_types && { payment_method_types }) }), [])
  const [error, ...others] = listMethodTypeErrors({ payment_method_types: ['wallet'] })
  assert.equal(others, [])
  assert.is(error?.param, 'payment_method_types')
  assert.match(error?.message ?? '', '"card" is missing')
})

test('reports no error for unknown types, which the schema rejects', () => {
  assert.equal(listMethodTypeErrors({ payment_method_types: ['ideal'] }), [])
})

test('rejects the wallet for a session without wallet, with a hint how to offer the wallet', () => {
  const offering = { ...SESSION, payment_method_types: ['card', 'wallet'] }
  const others = [SESSION, { ...SESSION, payment_method_types: ['card'] }]
  assert.ok(isWalletOffered(offering))
  requireOffered(offering, { wallet: 'approve' })
  for (const session of others) {
    assert.not.ok(isWalletOffered(session))
    requireOffered(session, {})
    for (const wallet of ['approve', 'decline'] as const)
      assert.throws(() => requireOffered(session, { wallet }), /payment_method_types "card" and "wallet"/)
  }
})

test('rejects a card for a session that only offers direct debits', () => {
  const session = { ...SESSION, payment_method_types: ['sepa_debit'] }
  requireOffered(session, { iban: 'DE89370400440532013000' })
  const card = { number: '4242424242424242' }
  assert.throws(
    () => requireOffered(session, card),
    /with a card: its payment_method_types do not include "card"/,
  )
  requireOffered({ ...SESSION, object: 'card_session' }, card)
})

test.run()
