import { toExamples } from '../src/cli/command/base-command.ts'
import { RawRequestCommand } from '../src/cli/command/raw-request-command.ts'
import { dryRunFlag } from '../src/cli/parse/mutation-flags.ts'

export default class Delete extends RawRequestCommand {
  static override summary = 'Delete the object with an id or API path'
  static override aliases = ['rm']
  static override description = 'The prefix of an id determines the API path.'
  static override flags = dryRunFlag
  static override examples = toExamples(['cus_4bT9…', '/v1/webhook_endpoints/we_4bT9… --dry-run'])
  protected override readonly method = 'DELETE'
}
