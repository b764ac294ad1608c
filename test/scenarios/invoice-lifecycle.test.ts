import { toNextPeriod } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import {
  createOpenInvoice,
  INVOICE_TRIGGERS,
  invoiceState,
  type OpenInvoiceScene,
  startAuthentication,
} from '../support/open-invoices.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/invoice-lifecycle')

/**
 * An invoice in collection. The subscription has a card without funds; for `hard`, the card is lost. The draft belongs
 * to an unpaid subscription. `waiting` has a pending 3-D Secure authentication of a `present` cardholder. `time`
 * advances four days, past the next retry.
 */
const TABLE = `
  draft    finalize    → open 0 stopped
      in.finalized
      leaves pm pm pm sub:unpaid in:open in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  draft    pay,pay_spare,elsewhere,present,absent,approve,reject,write_off → same ! invoice_unexpected_state
  draft    void        → void 0 stopped
      in.voided
      leaves pm pm pm sub:unpaid in:open in:paid in:void py:failed py:failed py:failed py:failed py:succeeded
  draft    time        → same
  draft    cancel      → draft 0 stopped
      sub.canceled in.updated
      leaves pm pm pm sub:canceled in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  draft    no_customer → draft 0 stopped
      sub.canceled in.updated pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded

  open     pay         → open 1+3d ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  open     time        → open 2+4d
      py.created py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  open,hard  finalize,approve,reject → same ! invoice_unexpected_state
  open,hard  pay_spare   → paid 1 stopped
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  open,hard  elsewhere   → paid 1 stopped
      in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded
  open,hard  present     → open 1+3d ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:requires_action py:succeeded wait
  open,hard  absent      → open 1+3d ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  open,hard  void        → void 1 stopped
      in.voided sub.recovered
      leaves pm pm pm sub:active in:paid in:void py:failed py:succeeded
  open,hard  write_off   → uncollectible 1 stopped
      in.marked_uncollectible sub.recovered
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:succeeded
  open,hard  cancel      → open 1 stopped
      sub.canceled in.updated
      leaves pm pm pm sub:canceled in:open in:paid py:failed py:succeeded
  open,hard  no_customer → open 1 stopped
      sub.canceled in.updated pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:open in:paid py:failed py:succeeded

  hard     pay         → open 1+3d ! card_declined lost_card
      py.created py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  hard     time        → open 2+4d
      in.updated
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:succeeded

  waiting  finalize    → same ! invoice_unexpected_state
  waiting  pay         → open 1+3d ! card_declined insufficient_funds
      py.canceled py.created py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:failed py:succeeded
  waiting  pay_spare   → paid 1 stopped
      py.canceled py.created py.succeeded in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:canceled py:failed py:succeeded py:succeeded
  waiting  elsewhere   → paid 1 stopped
      py.canceled in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:canceled py:failed py:succeeded
  waiting  present     → open 1+3d ! authentication_required
      py.canceled py.created py.requires_action in.payment_action_required
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:requires_action py:succeeded wait
  waiting  absent      → open 1+3d ! authentication_required
      py.canceled py.created py.failed in.payment_action_required
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:failed py:succeeded
  waiting  approve     → paid 1 stopped
      py.succeeded in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  waiting  reject      → open 1+3d ! authentication_failed
      py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  waiting  void        → void 1 stopped
      py.canceled in.voided sub.recovered
      leaves pm pm pm sub:active in:paid in:void py:canceled py:failed py:succeeded
  waiting  write_off   → uncollectible 1 stopped
      in.marked_uncollectible sub.recovered
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:requires_action py:succeeded wait
  waiting  time        → open 2+4d
      py.canceled py.created py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:failed py:succeeded
  waiting  cancel      → open 1 stopped
      sub.canceled in.updated
      leaves pm pm pm sub:canceled in:open in:paid py:failed py:requires_action py:succeeded wait
  waiting  no_customer → open 1 stopped
      py.canceled sub.canceled in.updated pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:open in:paid py:canceled py:failed py:succeeded
`

const open = createOpenInvoice({ card: 'renewal_no_funds' }, toNextPeriod)

testLifecycle<OpenInvoiceScene>(test, {
  table: TABLE,
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  states: {
    draft: createOpenInvoice({ card: 'renewal_no_funds' }, async (sandbox, subscription) => {
      await toNextPeriod(sandbox, subscription)
      await toNextPeriod(sandbox, subscription)
    }),
    open,
    hard: createOpenInvoice({ card: 'renewal_lost' }, toNextPeriod),
    waiting: after(open, startAuthentication),
  },
  triggers: INVOICE_TRIGGERS,
  stateOf: invoiceState,
})

test.run()
