import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { updateFlags } from '../../src/cli/parse/mutation-flags.ts'
import { OFF_SESSION_PARAM, onSessionFlag, onSessionParams } from '../../src/cli/parse/on-session-flag.ts'
import { summarizePaidInvoice } from '../../src/cli/views/result-summary.ts'

export default operationCommand(invoices.pay, {
  summary: 'Pay an open or uncollectible invoice',
  description:
    'Exits with 6 if the card is declined. With --on-session, the card may require 3-D Secure. The command then prints the address of the approval page, and the approval pays the invoice.',
  flags: { ...flagsOf(invoices.pay.params, { omit: [OFF_SESSION_PARAM] }), ...onSessionFlag, ...updateFlags },
  examples: ['in_4bT9…', 'in_4bT9… --payment-method pm_4bT9… --on-session', 'in_4bT9… --paid-out-of-band'],
  omit: [OFF_SESSION_PARAM],
  params: onSessionParams,
  note: summarizePaidInvoice,
})
