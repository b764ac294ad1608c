import { toNextPeriod } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import {
  createOpenInvoice,
  INVOICE_TRIGGERS,
  invoiceState,
  type OpenInvoiceScene,
  startAuthentication,
} from '../support/open-invoices.ts'
import { DAY } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/invoice-sent')

/**
 * A sent invoice that is due in ten days: before and after the due date, during 3-D Secure, uncollectible, or with a
 * canceled subscription. `due` is the due date, `period` the end of the period.
 */
const TABLE = `
  sent         present     → open 1 ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm sub:active in:open py:requires_action wait timer
  sent         absent      → open 1 ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm sub:active in:open py:failed timer
  sent         write_off   → uncollectible 0 stopped
      in.marked_uncollectible
      leaves pm pm sub:active in:uncollectible timer
  sent         cancel      → open 0 stopped
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open timer
  sent         no_customer → open 0 stopped
      sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open timer
  sent         due         → open 0
      in.overdue sub.past_due
      leaves pm pm sub:past_due in:open
  sent         period      → open 0
      in.overdue sub.past_due sub.renewed in.created in.finalized in.sent
      leaves pm pm sub:past_due in:open in:open timer
  sent,written_off  pay,pay_spare → paid 1 stopped
      py.created py.succeeded in.paid
      leaves pm pm sub:active in:paid py:succeeded timer
  sent,written_off  elsewhere   → paid 0 stopped
      in.paid
      leaves pm pm sub:active in:paid timer
  sent,written_off  void        → void 0 stopped
      in.voided
      leaves pm pm sub:active in:void timer
  sent,overdue,stopped  finalize,approve,reject → same ! invoice_unexpected_state

  waiting      finalize    → same ! invoice_unexpected_state
  waiting      pay,pay_spare → paid 1 stopped
      py.canceled py.created py.succeeded in.paid
      leaves pm pm sub:active in:paid py:canceled py:succeeded timer
  waiting      elsewhere   → paid 1 stopped
      py.canceled in.paid
      leaves pm pm sub:active in:paid py:canceled timer
  waiting      present     → open 1 ! authentication_required
      py.canceled py.created py.requires_action in.payment_action_required
      leaves pm pm sub:active in:open py:canceled py:requires_action wait timer
  waiting      absent      → open 1 ! authentication_required
      py.canceled py.created py.failed in.payment_action_required
      leaves pm pm sub:active in:open py:canceled py:failed timer
  waiting      approve     → paid 1 stopped
      py.succeeded in.paid
      leaves pm pm sub:active in:paid py:succeeded timer
  waiting      reject      → open 1 ! authentication_failed
      py.failed in.payment_failed
      leaves pm pm sub:active in:open py:failed timer
  waiting      void        → void 1 stopped
      py.canceled in.voided
      leaves pm pm sub:active in:void py:canceled timer
  waiting      write_off   → uncollectible 1 stopped
      in.marked_uncollectible
      leaves pm pm sub:active in:uncollectible py:requires_action wait timer
  waiting      cancel      → open 1 stopped
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open py:requires_action wait timer
  waiting      no_customer → open 1 stopped
      py.canceled sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open py:canceled timer
  waiting      due         → open 1
      in.overdue sub.past_due
      leaves pm pm sub:past_due in:open py:requires_action wait
  waiting      period      → open 1
      in.overdue sub.past_due sub.renewed in.created in.finalized in.sent
      leaves pm pm sub:past_due in:open in:open py:requires_action wait timer

  overdue      pay,pay_spare → paid 1 stopped
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid py:succeeded
  overdue      elsewhere   → paid 0 stopped
      in.paid sub.recovered
      leaves pm pm sub:active in:paid
  overdue      present     → open 1 ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm sub:past_due in:open py:requires_action wait
  overdue      absent      → open 1 ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm sub:past_due in:open py:failed
  overdue      void        → void 0 stopped
      in.voided sub.recovered
      leaves pm pm sub:active in:void
  overdue      write_off   → uncollectible 0 stopped
      in.marked_uncollectible sub.recovered
      leaves pm pm sub:active in:uncollectible
  overdue      cancel      → open 0 stopped
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open
  overdue      no_customer → open 0 stopped
      sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open
  overdue      due         → same
  overdue      period      → open 0
      sub.renewed in.created in.finalized in.sent
      leaves pm pm sub:past_due in:open in:open timer

  written_off  finalize,approve,reject,write_off → same ! invoice_unexpected_state
  written_off  present     → uncollectible 1 stopped ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm sub:active in:uncollectible py:requires_action wait timer
  written_off  absent      → uncollectible 1 stopped ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm sub:active in:uncollectible py:failed timer
  written_off  cancel      → uncollectible 0 stopped
      sub.canceled
      leaves pm pm sub:canceled in:uncollectible timer
  written_off  no_customer → uncollectible 0 stopped
      sub.canceled pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:uncollectible timer
  written_off  due         → uncollectible 0 stopped
      silent
      leaves pm pm sub:active in:uncollectible
  written_off  period      → uncollectible 0 stopped
      sub.renewed in.created in.finalized in.sent
      leaves pm pm sub:active in:open in:uncollectible timer

  stopped      pay,pay_spare → paid 1 stopped
      py.created py.succeeded in.paid
      leaves pm pm sub:canceled in:paid py:succeeded timer
  stopped      elsewhere   → paid 0 stopped
      in.paid
      leaves pm pm sub:canceled in:paid timer
  stopped      present     → open 1 stopped ! authentication_required
      py.created py.requires_action in.payment_action_required
      leaves pm pm sub:canceled in:open py:requires_action wait timer
  stopped      absent      → open 1 stopped ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm sub:canceled in:open py:failed timer
  stopped      void        → void 0 stopped
      in.voided
      leaves pm pm sub:canceled in:void timer
  stopped      write_off   → uncollectible 0 stopped
      in.marked_uncollectible
      leaves pm pm sub:canceled in:uncollectible timer
  stopped      cancel      → same ! subscription_unexpected_state
  stopped      no_customer → open 0 stopped
      pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open timer
  stopped      due,period  → open 0 stopped
      in.overdue
      leaves pm pm sub:canceled in:open
`

const sent = createOpenInvoice({ collection_method: 'send_invoice', days_until_due: 10 })

const { time: _never, ...byHand } = INVOICE_TRIGGERS

testLifecycle<OpenInvoiceScene>(test, {
  table: TABLE,
  states: {
    sent,
    waiting: after(sent, startAuthentication),
    overdue: after(sent, (sandbox) => sandbox.advance(10 * DAY)),
    written_off: after(sent, INVOICE_TRIGGERS.write_off),
    stopped: after(sent, INVOICE_TRIGGERS.cancel),
  },
  triggers: {
    ...byHand,
    due: (sandbox) => sandbox.advance(10 * DAY),
    period: (sandbox, { subscription }) => toNextPeriod(sandbox, subscription),
  },
  stateOf: invoiceState,
})

test.run()
