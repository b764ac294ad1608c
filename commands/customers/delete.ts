import { customers } from '../../src/api/operations/customers.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(customers.delete, { summary: 'Delete a customer' })
