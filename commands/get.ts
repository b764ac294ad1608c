import { toExamples } from '../src/cli/command/base-command.ts'
import { RawRequestCommand } from '../src/cli/command/raw-request-command.ts'
import { boolean, repeatable } from '../src/cli/parse/flag-builders.ts'

export default class Get extends RawRequestCommand {
  static override summary = 'Retrieve an object or a list by id or API path'
  static override description = 'The prefix of an id determines the API path. -d sets query parameters.'
  static override flags = {
    data: repeatable({
      char: 'd',
      description: 'Set a query parameter. Repeat for more parameters.',
      helpValue: '<a[b]=value>',
    }),
    all: boolean({ description: 'Read all pages of the list.' }),
  }
  static override examples = toExamples([
    'cus_4bT9…',
    '/v1/invoices -d status=open -d limit=100',
    "events --all --field 'data[].type'",
  ])
  protected override readonly method = 'GET'
}
