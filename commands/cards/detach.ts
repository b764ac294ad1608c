import { paymentMethods } from '../../src/api/payment-methods.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { changeFlags } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class CardsDetach extends BaseCommand {
  static override call = callOf(paymentMethods.detach)
  static override summary = paymentMethods.detach.summary
  static override args = idArg('pm_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> pm_4bT9…']
}
