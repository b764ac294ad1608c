import { promotionCodes } from '../../src/api/operations/promotion-codes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(promotionCodes.retrieve, {
  summary: 'Retrieve a promotion code',
  examples: ['promo_4bT9…', 'promo_4bT9… --field times_redeemed'],
})
