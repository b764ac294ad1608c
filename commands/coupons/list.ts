import { coupons } from '../../src/api/operations/coupons.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(coupons.list, {
  summary: 'List coupons, newest first',
  examples: ['', '--created-gte 2026-01-01', "--field 'data[].id'"],
})
