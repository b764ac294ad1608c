import { findCardByAlias } from '../../../src/domain/cards/test-cards.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { authorizeTestCard, resolveTestCard } from '../../../src/domain/payments/card-authorization.ts'
import {
  createWalletCard,
  findWalletDecision,
  WALLET_ALIASES,
  WALLET_LAST4,
} from '../../../src/domain/payments/wallet.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/wallet')

const REQUEST = { customer: 'cus_1', isSetup: false }

test('no alias of the wallet is the alias of a test card', () => {
  assert.equal(WALLET_ALIASES.map(findWalletDecision), ['approve', 'decline'])
  assert.equal(
    WALLET_ALIASES.map((alias) => findCardByAlias(alias)),
    [undefined, undefined],
  )
  assert.is(findWalletDecision('visa'), null)
})

test('the card of the wallet equals the test card visa, except for its field wallet', () => {
  const context = createRuleContext()
  const resolved = resolveTestCard(createWalletCard('approve', context), context)
  const { wallet: _, ...typed } = createWalletCard('approve', context)
  const plain = resolveTestCard(typed, context)
  if (resolved instanceof DomainError || plain instanceof DomainError) throw new Error('declined')
  assert.equal(resolved.card, { ...plain.card, wallet: { type: 'test_wallet' } })
  assert.is(resolved.card.last4, WALLET_LAST4)
  assert.is(plain.card.wallet, null)
})

for (const isSetup of [false, true]) {
  const purpose = isSetup ? 'that saves the card' : 'that charges the card'
  test(`approves or declines a request ${purpose} as the customer decided`, () => {
    const context = createRuleContext()
    const kinds = (['approve', 'decline'] as const).map((decision) => {
      const submitted = authorizeTestCard(
        createWalletCard(decision, context),
        { ...REQUEST, isSetup },
        context,
      )
      if (submitted instanceof DomainError) throw submitted
      return submitted.issuer
    })
    assert.equal(kinds, [
      { kind: 'approve' },
      { kind: 'decline', code: 'card_declined', decline_code: 'generic_decline' },
    ])
  })
}

test.run()
