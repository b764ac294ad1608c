import type { FlagInput } from '@oclif/core/interfaces'
import { refunds } from '../../api/operations/refunds.ts'
import { flagsOf } from '../parse/flags.ts'
import { createFlags } from '../parse/mutation-flags.ts'
import { type FlagValues, type Params, paramsFromFlags, requireParams } from '../parse/params.ts'
import { readBodyFlags } from '../request/call.ts'
import { findPaymentToRefund } from '../sessions/payment-to-refund.ts'
import { summarizeRefund } from '../views/result-summary.ts'
import { BaseCommand } from './base-command.ts'

const { create } = refunds

/** Base class of the commands that create a refund. */
export abstract class RefundCommand extends BaseCommand {
  static override flags: FlagInput = {
    ...flagsOf(create.params, { omit: ['payment'] }),
    ...createFlags,
  }

  /** Creates and prints the refund that the flags describe. `given` are parameters without a flag. */
  protected async createRefund(flags: FlagValues, given: Params): Promise<void> {
    const flagParams = { ...given, ...paramsFromFlags(create.params, flags) }
    const params = { ...(await readBodyFlags(create, flags, flagParams)), ...flagParams }
    requireParams(create.params, params)
    const client = this.client()
    const payment = await findPaymentToRefund(client, String(params.payment))
    const refund = await client.call(create, { ...params, payment })
    this.print(refund, () => summarizeRefund(refund))
  }
}
