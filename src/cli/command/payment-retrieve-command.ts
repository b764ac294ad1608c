import { findResourceOfId, getResource } from '../../api/resources/catalog.ts'
import type { OperationWithParams } from '../request/call.ts'
import { findNextStepNote } from '../views/next-step.ts'
import {
  defineOperationCommand,
  type OperationCommand,
  type OperationCommandOptions,
} from './operation-command.ts'

/** Returns the command that retrieves payments or payment sessions. The command accepts the ids of both resources. */
export function definePaymentRetrieveCommand(
  retrieve: OperationWithParams,
  own: 'payments' | 'payment_sessions',
  options: OperationCommandOptions<never>,
): typeof OperationCommand {
  return class extends defineOperationCommand(retrieve, options) {
    override async run(): Promise<void> {
      const { id } = await this.readInput()
      const named = findResourceOfId(id)
      const isAccepted = named?.name === 'payments' || named?.name === 'payment_sessions'
      const { name, path } = isAccepted ? named : getResource(own)
      const client = this.client()
      const object = await client.send({ method: 'GET', path: `/v1/${path}/:id` }, { id })
      const note = name === own ? undefined : () => formatPaymentResourceNote(id, object)
      await this.printWithCustomer(object, client, note)
    }
  }
}

/**
 * Returns the note for an object of the other resource: a payment session for `payments`, or a payment for
 * `payment_sessions`. The suggested command is on its own line, so that the user can copy it.
 */
export function formatPaymentResourceNote(id: string, object: object): string {
  if (findResourceOfId(id)?.name === 'payments')
    return [`${id} is a payment.`, findNextStepNote(object)].join(' ')
  return `${id} is a payment session. List its payments:\n  paycli payments list --session ${id}`
}
