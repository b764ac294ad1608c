import { disputes } from '../../src/api/operations/disputes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { updateFlags } from '../../src/cli/parse/mutation-flags.ts'
import { objectParamSchema } from '../../src/cli/parse/param-kinds.ts'
import { flagText } from '../../src/cli/parse/params.ts'

const { params } = disputes.update
const omit = ['evidence']
const { description } = objectParamSchema(params, 'evidence').properties['text'] ?? {}

export default operationCommand(disputes.update, {
  summary: 'Submit evidence for a dispute',
  description: 'Submitted evidence is final. With --no-submit it is only saved.',
  flags: {
    evidence: string({ description: description ?? '', helpValue: '<text>' }),
    ...flagsOf(params, { omit }),
    ...updateFlags,
  },
  examples: ['dp_4bT9… --evidence winning_evidence', "dp_4bT9… --evidence 'Signed for on 3 May' --no-submit"],
  omit,
  params(flags) {
    const text = flagText(flags['evidence'])
    return text === undefined ? {} : { evidence: { text } }
  },
})
