import { api } from '../../src/api/api.ts'
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

const test = suite('scenarios/invoice-endings')

/**
 * An invoice that is paid, void or no longer collected; abbreviations as in invoice-lifecycle. `stopped` is an open
 * invoice of a canceled subscription. `answered` was marked uncollectible during 3-D Secure. `hard` is in 3-D Secure
 * after a hard decline.
 */
const TABLE = `
  paid           cancel      → paid 1 stopped
      sub.canceled
      leaves pm pm pm sub:canceled in:paid in:paid py:failed py:succeeded
  paid           no_customer → paid 1 stopped
      sub.canceled pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:paid in:paid py:failed py:succeeded
  paid,void      pay,pay_spare,elsewhere,present,absent,void → same ! invoice_unexpected_state
  paid,void,uncollectible,answered  write_off   → same ! invoice_unexpected_state
  paid,void,uncollectible,stopped  approve,reject → same ! invoice_unexpected_state
  paid,void,uncollectible,answered,stopped  time,retrieve → same
  paid,void,uncollectible,answered,stopped,hard  finalize    → same ! invoice_unexpected_state

  void           cancel      → void 1 stopped
      sub.canceled
      leaves pm pm pm sub:canceled in:paid in:void py:failed py:succeeded
  void           no_customer → void 1 stopped
      sub.canceled pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:paid in:void py:failed py:succeeded

  uncollectible  pay         → uncollectible 1 stopped ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:failed py:succeeded
  uncollectible  pay_spare   → paid 1 stopped
      py.created py.succeeded in.paid
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  uncollectible  elsewhere   → paid 1 stopped
      in.paid
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded
  uncollectible  present     → uncollectible 1 stopped ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:requires_action py:succeeded wait
  uncollectible  absent      → uncollectible 1 stopped ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:failed py:succeeded
  uncollectible  void        → void 1 stopped
      in.voided
      leaves pm pm pm sub:active in:paid in:void py:failed py:succeeded
  uncollectible  cancel      → uncollectible 1 stopped
      sub.canceled
      leaves pm pm pm sub:canceled in:paid in:uncollectible py:failed py:succeeded
  uncollectible  no_customer → uncollectible 1 stopped
      sub.canceled pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:paid in:uncollectible py:failed py:succeeded

  answered       pay         → uncollectible 1 stopped ! card_declined insufficient_funds
      py.canceled py.created py.failed in.payment_failed
      leaves pm pm pm sub:active in:paid in:uncollectible py:canceled py:failed py:failed py:succeeded
  answered       pay_spare   → paid 1 stopped
      py.canceled py.created py.succeeded in.paid
      leaves pm pm pm sub:active in:paid in:paid py:canceled py:failed py:succeeded py:succeeded
  answered       elsewhere   → paid 1 stopped
      py.canceled in.paid
      leaves pm pm pm sub:active in:paid in:paid py:canceled py:failed py:succeeded
  answered       present     → uncollectible 1 stopped ! authentication_required
      py.canceled py.created py.requires_action in.payment_action_required
      leaves pm pm pm sub:active in:paid in:uncollectible py:canceled py:failed py:requires_action py:succeeded wait
  answered       absent      → uncollectible 1 stopped ! authentication_required
      py.canceled py.created py.failed in.payment_action_required
      leaves pm pm pm sub:active in:paid in:uncollectible py:canceled py:failed py:failed py:succeeded
  answered       approve     → paid 1 stopped
      py.succeeded in.paid
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  answered       reject      → uncollectible 1 stopped ! authentication_failed
      py.failed in.payment_failed
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:failed py:succeeded
  answered       void        → void 1 stopped
      py.canceled in.voided
      leaves pm pm pm sub:active in:paid in:void py:canceled py:failed py:succeeded
  answered       cancel      → uncollectible 1 stopped
      sub.canceled
      leaves pm pm pm sub:canceled in:paid in:uncollectible py:failed py:requires_action py:succeeded wait
  answered       no_customer → uncollectible 1 stopped
      py.canceled sub.canceled pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:paid in:uncollectible py:canceled py:failed py:succeeded

  stopped        pay         → open 1 stopped ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm pm sub:canceled in:open in:paid py:failed py:failed py:succeeded
  stopped        pay_spare   → paid 1 stopped
      py.created py.succeeded in.paid
      leaves pm pm pm sub:canceled in:paid in:paid py:failed py:succeeded py:succeeded
  stopped        elsewhere   → paid 1 stopped
      in.paid
      leaves pm pm pm sub:canceled in:paid in:paid py:failed py:succeeded
  stopped        present     → open 1 stopped ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm pm sub:canceled in:open in:paid py:failed py:requires_action py:succeeded wait
  stopped        absent      → open 1 stopped ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm pm sub:canceled in:open in:paid py:failed py:failed py:succeeded
  stopped        void        → void 1 stopped
      in.voided
      leaves pm pm pm sub:canceled in:paid in:void py:failed py:succeeded
  stopped        write_off   → uncollectible 1 stopped
      in.marked_uncollectible
      leaves pm pm pm sub:canceled in:paid in:uncollectible py:failed py:succeeded
  stopped        cancel      → same ! subscription_unexpected_state
  stopped        no_customer → open 1 stopped
      pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:open in:paid py:failed py:succeeded

  hard           pay         → open 1+3d ! card_declined lost_card
      py.canceled py.created py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:failed py:succeeded
  hard           pay_spare   → paid 1 stopped
      py.canceled py.created py.succeeded in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:canceled py:failed py:succeeded py:succeeded
  hard           elsewhere   → paid 1 stopped
      py.canceled in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:canceled py:failed py:succeeded
  hard           present     → open 1+3d ! authentication_required
      py.canceled py.created py.requires_action in.payment_action_required
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:requires_action py:succeeded wait
  hard           absent      → open 1+3d ! authentication_required
      py.canceled py.created py.failed in.payment_action_required
      leaves pm pm pm sub:past_due in:open in:paid py:canceled py:failed py:failed py:succeeded
  hard           approve     → paid 1 stopped
      py.succeeded in.paid sub.recovered
      leaves pm pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  hard           reject      → open 1+3d ! authentication_failed
      py.failed in.payment_failed
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  hard           void        → void 1 stopped
      py.canceled in.voided sub.recovered
      leaves pm pm pm sub:active in:paid in:void py:canceled py:failed py:succeeded
  hard           write_off   → uncollectible 1 stopped
      in.marked_uncollectible sub.recovered
      leaves pm pm pm sub:active in:paid in:uncollectible py:failed py:requires_action py:succeeded wait
  hard           time        → open 2+4d
      in.updated
      leaves pm pm pm sub:past_due in:open in:paid py:failed py:requires_action py:succeeded wait
  hard           cancel      → open 1 stopped
      sub.canceled in.updated
      leaves pm pm pm sub:canceled in:open in:paid py:failed py:requires_action py:succeeded wait
  hard           no_customer → open 1 stopped
      py.canceled sub.canceled in.updated pm.detached pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached pm:detached sub:canceled in:open in:paid py:canceled py:failed py:succeeded
  hard           retrieve    → same
`

const renewed = createOpenInvoice({ card: 'renewal_no_funds' }, toNextPeriod)

testLifecycle<OpenInvoiceScene>(test, {
  table: TABLE,
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  states: {
    paid: after(renewed, INVOICE_TRIGGERS.elsewhere),
    void: after(renewed, INVOICE_TRIGGERS.void),
    uncollectible: after(renewed, INVOICE_TRIGGERS.write_off),
    answered: after(renewed, startAuthentication, INVOICE_TRIGGERS.write_off),
    stopped: after(renewed, INVOICE_TRIGGERS.cancel),
    hard: after(createOpenInvoice({ card: 'renewal_lost' }, toNextPeriod), startAuthentication),
  },
  triggers: {
    ...INVOICE_TRIGGERS,
    retrieve: (sandbox, { id }) => sandbox.call(api.invoices.retrieve, { id }),
  },
  stateOf: invoiceState,
})

test.run()
