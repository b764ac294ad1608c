import { promotionCodes } from '../../src/api/operations/promotion-codes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(promotionCodes.update, {
  summary: 'Activate or deactivate a promotion code',
  examples: ['promo_4bT9… --no-active', 'promo_4bT9… --active --metadata campaign=spring'],
})
