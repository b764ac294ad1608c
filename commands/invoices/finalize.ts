import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class InvoicesFinalize extends BaseCommand {
  static override call = manifestCall(invoices.finalize)
  static override summary = 'Finalize a draft invoice'
  static override args = idArg('in_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> in_4bT9…']
}
