import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(paymentMethods.listOfCustomer, {
  summary: 'List the saved cards of a customer',
  examples: ['cus_4bT9…', "cus_4bT9… --field 'data[].id'"],
})
