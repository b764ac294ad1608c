import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(customers.delete, { summary: 'Delete a customer' })
