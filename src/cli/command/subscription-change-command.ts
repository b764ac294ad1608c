import type { FlagInput } from '@oclif/core/interfaces'
import { flagsOf, repeatable } from '../parse/flags.ts'
import { idArg } from '../parse/id-arg.ts'
import { paramsFromFlags, textsOf } from '../parse/params.ts'
import { createFlags } from '../parse/update-flags.ts'
import { type FlaggedOperation, readBodyFlags } from '../request/call.ts'
import { parseItemChange } from '../sessions/item-change-flag.ts'
import { BaseCommand } from './base-command.ts'

/** Describes the values of `--item` of commands that change a subscription. */
export const ITEM_CHANGE_HELP =
  "--item 'si_…:quantity=3:amount=2000' changes an item: quantity, amount of one unit, tax_percent, description or type. " +
  "--item 'si_…:deleted' removes one, and --item 'Support:900' adds one, as in checkout create."

/** A command that changes the prices or the billing period of a subscription, or previews such a change. */
export abstract class SubscriptionChangeCommand extends BaseCommand {
  static override args = idArg('sub_4bT9…')
  abstract readonly operation: FlaggedOperation
  /** Parameters without a flag of the same name, besides `items`. */
  readonly omitted: readonly string[] = []

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const items = textsOf(flags['item']).map(parseItemChange)
    const flagParams = {
      ...paramsFromFlags<unknown>(this.operation.params, flags, ['items', ...this.omitted]),
      ...(items.length === 0 ? {} : { items }),
    }
    const body = await readBodyFlags(this.operation, flags, flagParams)
    const client = this.client()
    const response = await client.send(this.operation, { ...body, ...flagParams, id })
    await this.printWithCustomer(response, client)
  }
}

/** Returns the flags of a command that changes a subscription, except for parameters in `omit`. */
export function subscriptionChangeFlags(
  operation: FlaggedOperation,
  omit: readonly string[] = [],
): FlagInput {
  return {
    ...flagsOf(operation.params, { omit: ['items', ...omit] }),
    item: repeatable('Item to change, remove or add. Repeat for more items.', '<change>'),
    ...createFlags,
  }
}
