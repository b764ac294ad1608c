import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/create-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

export default class CardsDetach extends BaseCommand {
  static override call = callOf(paymentMethods.detach)
  static override summary = paymentMethods.detach.summary
  static override args = idArg('pm_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> pm_4bT9…']
}
