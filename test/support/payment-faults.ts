import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import type { Fault } from '../../src/domain/faults/faults.ts'
import { subscribe } from './billing.ts'
import { newCustomerOnClock } from './clocks.ts'
import type { Sandbox } from './sandbox.ts'

export type FaultParams = ParamsOf<typeof api.faults.create>

/** Creates a fault rule. */
export function addFault(sandbox: Sandbox, params: FaultParams): Promise<Fault> {
  return sandbox.call(api.faults.create, params)
}

/** Returns the counts of a fault as `matched/applied`. */
export async function countsOf(sandbox: Sandbox, { id }: Fault): Promise<string> {
  const { matched, applied } = await sandbox.call(api.faults.retrieve, { id })
  return `${matched}/${applied}`
}

/** Creates a subscription on a test clock, and returns the time of its first renewal. */
export async function subscribeOnClock(sandbox: Sandbox, card: string) {
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const { current_period_end } = await subscribe(sandbox, { customer, card })
  return { clock, customer, renewal: current_period_end ?? 0 }
}
