import { coupons } from '../../src/api/operations/coupons.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(coupons.list, {
  summary: 'List coupons, newest first',
  examples: ['', '--created-gte 2026-01-01', "--field 'data[].id'"],
})
