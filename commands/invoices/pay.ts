import { invoices } from '../../src/api/operations/invoices.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { getOnSessionParams, OFF_SESSION_PARAM, onSessionFlag } from '../../src/cli/parse/on-session-flag.ts'
import { summarizePaidInvoice } from '../../src/cli/views/result-summary.ts'

export default defineOperationCommand(invoices.pay, {
  summary: 'Pay an open or uncollectible invoice',
  description:
    'Exits with 6 if the card is declined. With --on-session, the card may require 3-D Secure. The command then prints the address of the approval page, and the approval pays the invoice.',
  flagsAfter: onSessionFlag,
  examples: ['in_4bT9…', 'in_4bT9… --payment-method pm_4bT9… --on-session', 'in_4bT9… --paid-out-of-band'],
  omit: [OFF_SESSION_PARAM],
  params: getOnSessionParams,
  note: summarizePaidInvoice,
})
