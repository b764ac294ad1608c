import { invoices } from '../../src/api/operations/invoices.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoices.finalize, {
  summary: 'Finalize a draft invoice',
  examples: ['in_4bT9…', 'in_4bT9… --auto-advance'],
})
