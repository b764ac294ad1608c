import type { FlagInput } from '@oclif/core/interfaces'
import { resourceNamed, resourceOfId } from '../../api/resources/catalog.ts'
import { nextStepOf } from '../views/next-step.ts'
import { BaseCommand } from './base-command.ts'

/** A resource whose objects the command can retrieve. */
type PaymentResource = 'payments' | 'payment_sessions'

/** Base class of the commands that retrieve payments and payment sessions. Each accepts the ids of both. */
export abstract class PaymentRetrieveCommand extends BaseCommand {
  static override flags: FlagInput = {}
  /** The resource that the command is named after. */
  protected abstract readonly resource: PaymentResource

  override async run(): Promise<void> {
    const { id } = await this.readInput()
    const resource = retrievedResource(id, this.resource)
    const { path } = resourceNamed(resource)
    const client = this.client()
    const object = await client.send({ method: 'GET', path: `/v1/${path}/:id` }, { id })
    const note = resource === this.resource ? undefined : () => otherResourceNote(id, object)
    await this.printWithCustomer(object, client, note)
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
export function otherResourceNote(id: string, object: object): string {
  if (resourceOfId(id)?.name === 'payments') return [`${id} is a payment.`, nextStepOf(object)].join(' ')
  return `${id} is a payment session. List its payments:\n  paycli payments list --session ${id}`
}
