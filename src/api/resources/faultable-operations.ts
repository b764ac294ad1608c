/** The operations that can have faults, by resource. A test compares them with the API, which this file does not load. */
const VERBS = {
  customers: ['create', 'list', 'retrieve', 'update', 'delete'],
  checkout_sessions: ['create', 'list', 'retrieve', 'expire', 'complete'],
  payment_sessions: ['create', 'list', 'retrieve', 'expire', 'complete'],
  card_sessions: ['create', 'list', 'retrieve', 'expire', 'complete'],
  payments: ['create', 'list', 'retrieve', 'cancel', 'authenticate'],
  payment_methods: ['list_of_customer', 'retrieve', 'detach'],
  subscriptions: ['list', 'retrieve', 'update', 'resume', 'preview', 'cancel', 'delete'],
  invoices: ['list', 'retrieve', 'finalize', 'pay', 'pay_as_customer', 'void', 'mark_uncollectible'],
  invoice_items: ['create', 'list', 'retrieve', 'delete'],
  refunds: ['create', 'list', 'retrieve'],
  test_clocks: ['create', 'list', 'retrieve', 'advance', 'fail', 'delete'],
  events: ['list', 'retrieve', 'resend'],
  webhook_endpoints: ['create', 'list', 'retrieve', 'update', 'delete', 'roll_secret', 'recover'],
  webhook_deliveries: ['list', 'retrieve', 'send'],
  api_keys: ['create', 'list', 'retrieve', 'roll', 'revoke'],
  projections: ['retrieve'],
  statistics: ['retrieve'],
} as const

/** The names of the operations that can have faults, such as `payment_sessions.create`. */
export const FAULTABLE_OPERATIONS: readonly string[] = Object.entries(VERBS).flatMap(([resource, verbs]) =>
  verbs.map((verb) => `${resource}.${verb}`),
)
