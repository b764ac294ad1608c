import { promotionCodes } from '../../src/api/operations/promotion-codes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(promotionCodes.list, {
  summary: 'List promotion codes, newest first',
  examples: ['', '--coupon coup_4bT9…', '--code SPRING-25 --json'],
})
