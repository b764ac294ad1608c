import { resourceNamed, resourceOfId } from '../../api/resources/catalog.ts'
import type { OperationWithParams } from '../request/call.ts'
import { nextStepOf } from '../views/next-step.ts'
import { type OperationCommand, type OperationCommandOptions, operationCommand } from './operation-command.ts'

/** A resource whose objects the command can retrieve. */
type PaymentResource = 'payments' | 'payment_sessions'

/** Returns the command that retrieves payments or payment sessions. It accepts the ids of both. */
export function paymentRetrieveCommand(
  retrieve: OperationWithParams,
  own: PaymentResource,
  options: OperationCommandOptions<never>,
): typeof OperationCommand {
  return class extends operationCommand(retrieve, options) {
    override async run(): Promise<void> {
      const { id } = await this.readInput()
      const resource = retrievedResource(id, own)
      const { path } = resourceNamed(resource)
      const client = this.client()
      const object = await client.send({ method: 'GET', path: `/v1/${path}/:id` }, { id })
      const note = resource === own ? undefined : () => paymentResourceNote(id, object)
      await this.printWithCustomer(object, client, note)
    }
  }
}

/** Returns the resource that the prefix of an id names, if it is one of the two; else `expected`. */
function retrievedResource(id: string, expected: PaymentResource): PaymentResource {
  const name = resourceOfId(id)?.name
  return name === 'payments' || name === 'payment_sessions' ? name : expected
}

/**
 * Returns the note below an object of the resource that the command is not named after. Each command is on a line of
 * its own, so that it can be copied.
 */
export function paymentResourceNote(id: string, object: object): string {
  if (resourceOfId(id)?.name === 'payments') return [`${id} is a payment.`, nextStepOf(object)].join(' ')
  return `${id} is a payment session. List its payments:\n  paycli payments list --session ${id}`
}
