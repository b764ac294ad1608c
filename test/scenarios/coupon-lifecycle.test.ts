import { api } from '../../src/api/api.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import { after, type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import { newCheckout } from '../support/samples.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/coupon-lifecycle')

interface Subject {
  readonly coupon: string
  readonly code: string
}

/** The lifecycle of a coupon, by its limits. The state is `valid`, the number of redemptions, or `deleted`. */
const COUPON_TABLE = `
  unused   redeem → invalid 1
      cus.created cks.created pm.attached cus.updated coup.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  unused   enter → invalid 1
      cus.created cks.created pm.attached cus.updated coup.updated promo.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  unused   rename → valid 0
      coup.updated
      leaves nothing
  unused   delete → deleted
      coup.deleted
      leaves nothing
  unused   add_code → valid 0
      promo.created
      leaves nothing
  unused   recreate → same ! coupon_exists
  used     redeem → invalid 1 ! coupon_exhausted
      cus.created
      leaves pm sub:active in:paid py:succeeded
  used     enter → invalid 1 ! coupon_exhausted
      cus.created cks.created
      leaves pm sub:active in:paid py:succeeded
  used     rename → invalid 1
      coup.updated
      leaves pm sub:active in:paid py:succeeded
  used     delete → deleted
      coup.deleted
      leaves pm sub:active in:paid py:succeeded
  used     add_code → invalid 1
      promo.created
      leaves pm sub:active in:paid py:succeeded
  used     recreate → same ! coupon_exists
  expired  redeem → valid 0 ! coupon_expired
      cus.created
      leaves nothing
  expired  enter → valid 0 ! coupon_expired
      cus.created cks.created
      leaves nothing
  expired  rename → valid 0
      coup.updated
      leaves nothing
  expired  delete → deleted
      coup.deleted
      leaves nothing
  expired  add_code → valid 0
      promo.created
      leaves nothing
  expired  recreate → same ! coupon_exists
  deleted  redeem → deleted ! resource_missing
      cus.created
      leaves nothing
  deleted  enter → deleted ! resource_missing
      cus.created cks.created
      leaves nothing
  deleted  rename,delete,add_code → same ! resource_missing
  deleted  recreate → same ! coupon_exists
`

/** A promotion code by its limits and its coupon. The state is `active` and the number of redemptions. */
const CODE_TABLE = `
  active   enter,preset → active 1
      cus.created cks.created pm.attached cus.updated coup.updated promo.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  active   activate → same
  active   deactivate → inactive 0
      promo.updated
      leaves nothing
  active   add_same → same ! promotion_code_exists
  used     enter → active 1 ! coupon_exhausted
      cus.created cks.created
      leaves pm sub:active in:paid py:succeeded
  used     preset → active 1 ! coupon_exhausted
      cus.created
      leaves pm sub:active in:paid py:succeeded
  used     activate → same
  used     deactivate → inactive 1
      promo.updated
      leaves pm sub:active in:paid py:succeeded
  used     add_same → same ! promotion_code_exists
  inactive enter → inactive 0 ! resource_missing
      cus.created cks.created
      leaves nothing
  inactive preset → inactive 0 ! promotion_code_inactive
      cus.created
      leaves nothing
  inactive activate → active 0
      promo.updated
      leaves nothing
  inactive deactivate → same
  inactive add_same → inactive 0
      promo.created
      leaves nothing
  replaced enter → inactive 0
      cus.created cks.created pm.attached cus.updated coup.updated promo.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  replaced preset → inactive 0 ! promotion_code_inactive
      cus.created
      leaves nothing
  replaced activate,add_same → same ! promotion_code_exists
  replaced deactivate → same
  expired  enter → active 0 ! coupon_expired
      cus.created cks.created
      leaves nothing
  expired  preset → active 0 ! coupon_expired
      cus.created
      leaves nothing
  expired  activate → same
  expired  deactivate → inactive 0
      promo.updated
      leaves nothing
  expired  add_same → same ! promotion_code_exists
  orphaned enter → active 0 ! resource_missing
      cus.created cks.created
      leaves nothing
  orphaned preset → active 0 ! resource_missing
      cus.created
      leaves nothing
  orphaned activate → same
  orphaned deactivate → inactive 0
      promo.updated
      leaves nothing
  orphaned add_same → same ! resource_missing
`

/** Returns a function that creates a coupon of 25 % with a promotion code. */
const offer =
  (coupon: object = {}, code: object = {}) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id } = await sandbox.call(api.coupons.create, { percent_off: 25, ...coupon })
    const created = await sandbox.call(api.promotionCodes.create, { coupon: id, code: 'SPRING-25', ...code })
    return { coupon: id, code: created.id }
  }

const complete = async (sandbox: Sandbox, fields: Parameters<typeof newCheckout>[2], more: object = {}) => {
  const { id } = await newCheckout(sandbox, {}, fields)
  return sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa', ...more })
}

const redeem = (sandbox: Sandbox, { coupon }: Subject) => complete(sandbox, { discounts: [{ coupon }] })
const enter = (sandbox: Sandbox, promotion_code = 'spring-25') =>
  complete(sandbox, { allow_promotion_codes: true }, { promotion_code })
const remove = (sandbox: Sandbox, { coupon: id }: Subject) => sandbox.call(api.coupons.delete, { id })
const switchTo =
  (active: boolean) =>
  (sandbox: Sandbox, { code: id }: Subject) =>
    sandbox.call(api.promotionCodes.update, { id, active })
const addSameCode = (sandbox: Sandbox, { coupon }: Subject) =>
  sandbox.call(api.promotionCodes.create, { coupon, code: 'spring-25' })
const toNextDay = (sandbox: Sandbox) => sandbox.moveTo(START + DAY)

const COUPONS: Lifecycle<Subject> = {
  name: 'coupon',
  table: COUPON_TABLE,
  states: {
    unused: offer({ max_redemptions: 1 }),
    used: after(offer({ max_redemptions: 1 }), redeem),
    expired: after(offer({ redeem_by: START }), toNextDay),
    deleted: after(offer(), remove),
  },
  triggers: {
    redeem,
    enter: (sandbox) => enter(sandbox),
    rename: (sandbox, { coupon: id }) => sandbox.call(api.coupons.update, { id, name: 'Spring offer' }),
    delete: remove,
    add_code: (sandbox, { coupon }) => sandbox.call(api.promotionCodes.create, { coupon }),
    recreate: (sandbox, { coupon: id }) => sandbox.call(api.coupons.create, { id, percent_off: 25 }),
  },
  stateOf: async (sandbox, { coupon: id }) => {
    const coupon = await sandbox.call(api.coupons.retrieve, { id })
    return isDeleted(coupon) ? 'deleted' : `${coupon.valid ? 'valid' : 'invalid'} ${coupon.times_redeemed}`
  },
}

const CODES: Lifecycle<Subject> = {
  name: 'promotion code',
  table: CODE_TABLE,
  states: {
    active: offer({}, { max_redemptions: 1 }),
    used: after(offer({}, { max_redemptions: 1 }), (sandbox) => enter(sandbox)),
    inactive: after(offer(), switchTo(false)),
    replaced: after(offer(), switchTo(false), addSameCode),
    expired: after(offer({}, { expires_at: START + DAY }), toNextDay),
    orphaned: after(offer(), remove),
  },
  triggers: {
    enter: (sandbox) => enter(sandbox),
    preset: (sandbox, { code }) => complete(sandbox, { discounts: [{ promotion_code: code }] }),
    activate: switchTo(true),
    deactivate: switchTo(false),
    add_same: addSameCode,
  },
  stateOf: async (sandbox, { code: id }) => {
    const { active, times_redeemed } = await sandbox.call(api.promotionCodes.retrieve, { id })
    return `${active ? 'active' : 'inactive'} ${times_redeemed}`
  },
}

testLifecycle(test, COUPONS)
testLifecycle(test, CODES)

test.run()
