import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(invoiceItems.delete, { summary: 'Delete a pending invoice item' })
