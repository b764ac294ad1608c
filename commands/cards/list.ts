import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { boolean, string, textArg } from '../../src/cli/parse/flag-builders.ts'
import type { CommandInput } from '../../src/cli/request/call.ts'
import { listTestCards } from '../../src/cli/sessions/card-flags.ts'
import { formatRows } from '../../src/cli/views/list-view.ts'
import type { Client } from '../../src/client/client.ts'

const ListOfCustomer = defineOperationCommand(paymentMethods.listOfCustomer, {
  summary: 'List the saved cards of a customer',
  examples: ['cus_4bT9…', "cus_4bT9… --field 'data[].id'", '--test'],
})

export default class CardsList extends ListOfCustomer {
  static override args = { customer: textArg({ description: 'Customer, such as cus_4bT9….' }) }
  static override flags = {
    ...ListOfCustomer.flags,
    customer: string({ description: 'Customer, in place of the argument.' }),
    test: boolean({ description: 'List the test cards and test IBANs instead.', exclusive: ['customer'] }),
  }

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    if (flags['test'] !== true) return super.run()
    const cards = listTestCards()
    this.printView(cards, (_, view) => formatRows(cards, ['card', 'number', 'payment', 'renewal'], view))
  }

  protected override send(input: CommandInput, client: Client): Promise<object> {
    const id = input.words[0] ?? input.flags['customer']
    if (typeof id !== 'string' || id === '') {
      throw new UsageError('argument_missing', 'The customer is missing.', { param: 'customer' })
    }
    return super.send({ ...input, id }, client)
  }
}
