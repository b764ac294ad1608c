import { maskSecretsAndCardNumbers } from '../../../src/domain/text/secret-masking.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/secret-masking')

test('masks keys, webhook secrets and card numbers in any context', () => {
  for (const [given, shown] of [
    ['/v1/customers/paysk_test_0aZ9', '/v1/customers/paysk_test_…'],
    ['no payrk_test_0aZ9: look', 'no payrk_test_…: look'],
    ['key paysk_test_9s6XGDTqBxzVbPRyfNQG1aB2_0123456789abcdef0123456789abcdef, ok', 'key paysk_test_…, ok'],
    ['/v1/%20sk_live_0aZ9/x%22whsec_aB+/=', '/v1/%20sk_live_…%22whsec_…'],
    ['myrk_live_0aZ9 and 4000 0000 0000 0002', 'myrk_live_… and [card number ending in 0002]'],
    ['paysk_test_4000000000000002', 'paysk_test_…'],
    ['/v1/x4000+0000%C2%A00000.0002y', '/v1/x[card number ending in 0002]y'],
  ] as const) {
    assert.is(maskSecretsAndCardNumbers(given), shown)
  }
})

test('does not mask a string that only starts like a key', () => {
  for (const text of ['/v1/customers/cus_1', 'paysk_test', 'we go live_', 'is_lively'])
    assert.is(maskSecretsAndCardNumbers(text), text)
})

test.run()
