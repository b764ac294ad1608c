/** The topics and top-level commands by task, in the order of the overview. */
export const COMMAND_GROUPS: readonly (readonly [task: string, names: readonly string[]])[] = [
  ['START', ['serve', 'status', 'wait', 'stop', 'open', 'demo']],
  [
    'SELL',
    [
      'customers',
      'checkout',
      'payment-sessions',
      'card-sessions',
      'portal',
      'subscriptions',
      'coupons',
      'promotion-codes',
    ],
  ],
  [
    'GET PAID',
    ['payments', 'invoices', 'invoice-items', 'refunds', 'disputes', 'receipts', 'cards', 'stats'],
  ],
  ['WEBHOOKS', ['listen', 'trigger', 'events', 'webhooks']],
  [
    'TEST',
    ['clock', 'faults', 'timeline', 'upcoming', 'exec', 'explore', 'grade', 'simulate', 'fixtures', 'state'],
  ],
  ['OPERATE', ['logs', 'doctor', 'sandboxes', 'keys', 'config', 'get', 'post', 'delete', 'completion']],
]
