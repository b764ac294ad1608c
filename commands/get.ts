import { RawCommand } from '../src/cli/command/raw-command.ts'
import { boolean, string } from '../src/cli/parse/options.ts'

export default class Get extends RawCommand {
  static override summary = 'Asks the API for what it has at an id or a path.'
  static override description =
    'The beginning of an id says where the object is; -d sets parameters of the query.'
  static override flags = {
    data: string({
      char: 'd',
      description: 'Set a parameter of the query. Repeat for more.',
      helpValue: '<a[b]=value>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    all: boolean({ description: 'Read a list to its end, page by page, in place of one page.' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    '<%= config.bin %> <%= command.id %> /v1/invoices -d status=open -d limit=100',
    "<%= config.bin %> <%= command.id %> events --all --field 'data[].type'",
  ]

  override run(): Promise<void> {
    return this.ask('GET')
  }
}
