import { payments } from '../../src/api/operations/payments.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { getOnSessionParams, OFF_SESSION_PARAM, onSessionFlag } from '../../src/cli/parse/on-session-flag.ts'
import { summarizePayment } from '../../src/cli/views/result-summary.ts'

export default defineOperationCommand(payments.create, {
  summary: 'Charge a saved card',
  description:
    'Exits with 6 if the card is declined. With --on-session, the card may require 3-D Secure. The command then prints the address of the approval page. For a page on which the customer enters a card, use paycli payment-sessions create.',
  flagsAfter: onSessionFlag,
  examples: [
    '--customer cus_4bT9… --amount 4500 --currency eur',
    '--customer cus_4bT9… --amount 4500 --currency eur --payment-method pm_4bT9… --on-session',
    '--customer cus_4bT9… --amount 4500 --currency eur --idempotency-key usage-2026-03',
  ],
  omit: [OFF_SESSION_PARAM],
  params: getOnSessionParams,
  note: summarizePayment,
})
