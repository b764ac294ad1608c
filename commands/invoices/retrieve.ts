import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class InvoicesRetrieve extends BaseCommand {
  static override call = manifestCall(invoices.retrieve)
  static override summary = 'Retrieve an invoice'
  static override aliases = ['invoices:get']
  static override args = idArg('in_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> in_4bT9…',
    '<%= config.bin %> <%= command.id %> in_4bT9… --json',
    '<%= config.bin %> <%= command.id %> in_4bT9… --field id',
  ]
}
