import { payments } from '../../src/api/operations/payments.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { createFlags } from '../../src/cli/parse/mutation-flags.ts'
import { OFF_SESSION_PARAM, onSessionFlag, onSessionParams } from '../../src/cli/parse/on-session-flag.ts'
import { summarizePayment } from '../../src/cli/views/result-summary.ts'

export default operationCommand(payments.create, {
  summary: 'Charge a saved card',
  description:
    'Exits with 6 if the card is declined. With --on-session, the card may require 3-D Secure. The command then prints the address of the approval page. For a page on which the customer enters a card, use paycli payment-sessions create.',
  flags: {
    ...flagsOf(payments.create.params, { omit: [OFF_SESSION_PARAM] }),
    ...onSessionFlag,
    ...createFlags,
  },
  examples: [
    '--customer cus_4bT9… --amount 4500 --currency eur',
    '--customer cus_4bT9… --amount 4500 --currency eur --payment-method pm_4bT9… --on-session',
    '--customer cus_4bT9… --amount 4500 --currency eur --idempotency-key usage-2026-03',
  ],
  omit: [OFF_SESSION_PARAM],
  params: onSessionParams,
  note: summarizePayment,
})
