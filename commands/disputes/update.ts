import { disputes } from '../../src/api/operations/disputes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'
import { getObjectParamSchema } from '../../src/cli/parse/param-kinds.ts'
import { findFlagText } from '../../src/cli/parse/params.ts'

const { description } = getObjectParamSchema(disputes.update.params, 'evidence').properties['text'] ?? {}

export default defineOperationCommand(disputes.update, {
  summary: 'Submit evidence for a dispute',
  description: 'Submitted evidence is final. With --no-submit, the evidence is only saved.',
  flagsBefore: { evidence: string({ description: description ?? '', helpValue: '<text>' }) },
  examples: ['dp_4bT9… --evidence winning_evidence', "dp_4bT9… --evidence 'Signed for on 3 May' --no-submit"],
  omit: ['evidence'],
  params(flags) {
    const text = findFlagText(flags['evidence'])
    return text === undefined ? {} : { evidence: { text } }
  },
})
