import { repeatable, string } from '../parse/flag-builders.ts'
import { createParamFlags } from '../parse/flags.ts'
import { objectCreationFlags } from '../parse/mutation-flags.ts'
import { listFlagValues } from '../parse/params.ts'
import type { OperationWithParams } from '../request/call.ts'
import { parseItemChange } from '../sessions/item-change-flag.ts'
import {
  defineOperationCommand,
  type OperationCommand,
  type OperationCommandOptions,
} from './operation-command.ts'

/** Help text for the values of `--item` in commands that change a subscription. */
export const ITEM_CHANGE_HELP =
  "--item 'si_…:quantity=3:amount=2000' changes an item: quantity, amount of one unit, tax_percent, description or type. " +
  "--item 'si_…:deleted' removes an item, and --item 'Support:900' adds an item, as in checkout create."

/** Returns a command that changes the items or the billing period of a subscription, or previews such a change. */
export function defineSubscriptionChangeCommand(
  operation: OperationWithParams,
  options: OperationCommandOptions<never>,
): typeof OperationCommand {
  const omit = ['items', 'discount', ...(options.omit ?? [])]
  return defineOperationCommand(operation, {
    ...options,
    omit,
    flags: {
      ...createParamFlags(operation.params, { omit }),
      item: repeatable({
        description: 'Item to change, remove or add. Repeat for more items.',
        helpValue: '<change>',
      }),
      coupon: string({
        description:
          "Coupon that discounts the periods from now on, or after the trial; '' ends the discount.",
        helpValue: '<id>',
      }),
      ...objectCreationFlags,
    },
    params(flags) {
      const items = listFlagValues(flags['item']).map((item) => parseItemChange(item))
      const { coupon } = flags
      return {
        ...(items.length === 0 ? {} : { items }),
        ...(coupon === undefined ? {} : { discount: coupon === '' ? null : { coupon } }),
      }
    },
  })
}
