import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(paymentMethods.detach, { summary: 'Detach a saved card from its customer' })
