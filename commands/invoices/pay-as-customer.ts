import { invoices } from '../../src/api/operations/invoices.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { boolean } from '../../src/cli/parse/flag-builders.ts'
import { CARD_PARAMS, cardFlags, getSessionCompletionParams } from '../../src/cli/sessions/card-flags.ts'
import { summarizePaidInvoice } from '../../src/cli/views/result-summary.ts'

export default defineOperationCommand(invoices.payAsCustomer, {
  summary: 'Pay an invoice with a test card, as on its page',
  flags: {
    ...cardFlags,
    keep: boolean({
      description: 'Use the card from now on: save it and set it as the card of the subscription.',
    }),
  },
  examples: ['in_4bT9… --card visa --keep', 'in_4bT9… --card sca_required --three-d-secure reject'],
  omit: [...CARD_PARAMS, 'keep'],
  params: (flags) => ({
    ...getSessionCompletionParams(flags),
    ...(flags['keep'] === true && { keep: true }),
  }),
  note: summarizePaidInvoice,
})
