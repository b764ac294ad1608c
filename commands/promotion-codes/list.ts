import { promotionCodes } from '../../src/api/operations/promotion-codes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(promotionCodes.list, {
  summary: 'List promotion codes, newest first',
  examples: ['', '--coupon coup_4bT9…', '--code SPRING-25 --json'],
})
