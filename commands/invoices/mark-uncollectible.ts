import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/create-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

export default class InvoicesMarkUncollectible extends BaseCommand {
  static override call = callOf(invoices.markUncollectible)
  static override summary = invoices.markUncollectible.summary
  static override args = idArg('in_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> in_4bT9…']
}
