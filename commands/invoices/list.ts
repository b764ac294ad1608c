import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class InvoicesList extends BaseCommand {
  static override call = manifestCall(invoices.list)
  static override summary = 'List invoices, newest first'
  static override aliases = ['invoices:ls']
  static override flags = flagsOf(invoices.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status open',
    '<%= config.bin %> <%= command.id %> --subscription sub_4bT9… --json',
  ]
}
