import { payments } from '../../src/api/operations/payments.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'
import { getSessionFilter, SESSION_FILTERS } from '../../src/cli/sessions/payment-filters.ts'

export default defineOperationCommand(payments.list, {
  summary: 'List payments, newest first',
  description:
    'A payment is one attempt to charge a card. A failed payment shows its reason. The pages on which customers pay are sessions: paycli payment-sessions list, paycli checkout list.',
  aliases: ['payments:attempts'],
  flagsBefore: {
    session: string({ description: 'Only payments of this payment or checkout session.', helpValue: '<id>' }),
  },
  examples: [
    '--status failed --limit 5',
    '--session py_sess_4bT9…',
    '--invoice in_4bT9… --json',
    "--customer cus_4bT9… --status failed --field 'data[].decline_code'",
  ],
  omit: SESSION_FILTERS,
  params: getSessionFilter,
})
