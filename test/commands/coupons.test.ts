import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/coupons')

const api = openFakeApi(test, () => ({ body: { id: 'SPRING-25', object: 'coupon', percent_off: 12.5 } }))

api.testCalls([
  [
    'coupons create --id SPRING-25 --percent-off 12.5 --duration repeating --duration-in-months 3 --name Spring',
    'POST /v1/coupons {"name":"Spring","percent_off":12.5,"duration":"repeating","duration_in_months":3,"id":"SPRING-25"}',
  ],
  [
    'coupons create --amount-off 500 --currency eur --max-redemptions 50 --redeem-by 1767225600',
    'POST /v1/coupons {"amount_off":500,"currency":"eur","redeem_by":1767225600,"max_redemptions":50}',
  ],
  ['coupons ls --limit 2', 'GET /v1/coupons?limit=2'],
  ['coupons get SPRING-25', 'GET /v1/coupons/SPRING-25'],
  ['get coupons/SPRING-25', 'GET /v1/coupons/SPRING-25'],
  ['coupons update SPRING-25 --name Autumn', 'POST /v1/coupons/SPRING-25 {"name":"Autumn"}'],
  ['coupons rm SPRING-25', 'DELETE /v1/coupons/SPRING-25'],
  [
    'promotion-codes create --coupon SPRING-25 --code ADA --first-time-only --expires-at 1767225600',
    'POST /v1/promotion_codes {"coupon":"SPRING-25","code":"ADA","expires_at":1767225600,"first_time_only":true}',
  ],
  ['promotion-codes ls --coupon SPRING-25 --code ADA', 'GET /v1/promotion_codes?coupon=SPRING-25&code=ADA'],
  ['promotion-codes get promo_1', 'GET /v1/promotion_codes/promo_1'],
  ['promotion-codes update promo_1 --no-active', 'POST /v1/promotion_codes/promo_1 {"active":false}'],
  [
    'checkout complete cks_1 --card visa --promotion-code ada',
    'POST /v1/test_helpers/checkout_sessions/cks_1/complete {"test_card":"visa","promotion_code":"ada"}',
  ],
  [
    'subscriptions update sub_1 --coupon SPRING-25',
    'POST /v1/subscriptions/sub_1 {"discount":{"coupon":"SPRING-25"}}',
  ],
])

test.run()
