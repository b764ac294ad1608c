import { toExamples } from '../src/cli/command/base-command.ts'
import { RawRequestCommand } from '../src/cli/command/raw-request-command.ts'
import { objectCreationFlags } from '../src/cli/parse/mutation-flags.ts'

export default class Post extends RawRequestCommand {
  static override summary = 'Send a POST request to an id or API path'
  static override description = 'The prefix of an id determines the API path. -d sets body parameters.'
  static override flags = objectCreationFlags
  static override examples = toExamples([
    '/v1/customers -d email=ada@example.com',
    "cus_4bT9… -d 'metadata[order]=1042'",
    'in_4bT9…/pay -d paid_out_of_band=true --dry-run',
  ])
  protected override readonly method = 'POST'
}
