import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoiceItems.delete, { summary: 'Delete a pending invoice item' })
