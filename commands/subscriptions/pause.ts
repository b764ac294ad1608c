import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { createParamFlags } from '../../src/cli/parse/flags.ts'
import { getObjectParamSchema } from '../../src/cli/parse/param-kinds.ts'
import { getParamsFromFlags, requireParams } from '../../src/cli/parse/params.ts'

const { params } = subscriptions.update
const PAUSE = getObjectParamSchema(params, 'pause_collection')

export default defineOperationCommand(subscriptions.update, {
  summary: 'Pause the collection of new invoices',
  description:
    'Billing periods continue, and open invoices are still retried. Resume with paycli subscriptions resume. Another pause replaces the current pause.',
  flagsBefore: createParamFlags(PAUSE),
  examples: ['sub_4bT9… --behavior keep_as_draft', 'sub_4bT9… --behavior void --resumes-at 2026-09-01'],
  omit: Object.keys(params.properties),
  params(flags) {
    const pause_collection = getParamsFromFlags(PAUSE, flags)
    requireParams(PAUSE, pause_collection)
    return { pause_collection }
  },
})
