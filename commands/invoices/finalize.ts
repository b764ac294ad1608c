import { invoices } from '../../src/api/invoices.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { changeFlags } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class InvoicesFinalize extends BaseCommand {
  static override call = callOf(invoices.finalize)
  static override summary = invoices.finalize.summary
  static override args = idArg('in_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> in_4bT9…']
}
