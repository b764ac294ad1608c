/** A text to insert into a file of the project, before the first occurrence of another text. */
export type Row = readonly [file: string, before: string, text: string]

/** The new files of a resource that the tests add to a copy of the project, by path. */
export const NEW_FILES: Readonly<Record<string, string>> = {
  'src/domain/payments/gift-cards.ts': `import { type Creation, creation, type RuleContext } from '../core/changes.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { Customer } from './customers.ts'

/** The schema of a gift card. */
export const giftCardSchema = s.resourceObject('gift_card', 'A gift card of a customer.', {
  customer: s.id('The customer who bought the gift card.'),
  amount: s.amount('The value of the gift card.'),
  currency: s.currencyCode('The currency of the gift card.'),
  ...s.metadataAndClock,
})

export type GiftCard = s.ValueOf<typeof giftCardSchema>

/** The parameters of a new gift card. */
export const giftCardParams = p.shape(
  {
    customer: p.id('The customer who buys the gift card.'),
    amount: p.amount(1, 'Value in minor units.'),
    currency: p.currency('Currency, such as eur.'),
  },
  { metadata: p.metadata() },
)

export type GiftCardFields = Omit<s.ValueOf<typeof giftCardParams>, 'customer'>

/** Creates a gift card of a customer. */
export function createGiftCard(
  customer: Customer,
  fields: GiftCardFields,
  context: RuleContext,
): Creation<GiftCard> {
  return creation('gift_card.created', {
    id: context.newId('gc_'),
    object: 'gift_card',
    created: context.now,
    livemode: false,
    customer: customer.id,
    amount: fields.amount,
    currency: fields.currency,
    metadata: createMetadata(fields.metadata),
    test_clock: customer.test_clock,
  })
}
`,
  'src/api/operations/gift-cards.ts': `import * as p from '../../domain/core/params.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import { createGiftCard, giftCardParams, giftCardSchema } from '../../domain/payments/gift-cards.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve } from '../core/retrieve.ts'
import { EXAMPLE_GIFT_CARD, EXAMPLE_IDS } from './example-requests.ts'

/** Operations on gift cards. */
export const giftCards = {
  create: defineMutation({
    path: '/v1/gift_cards',
    summary: 'Creates a gift card.',
    description: 'The value is in minor units. The customer pays it elsewhere: no card is charged.',
    params: giftCardParams,
    response: giftCardSchema,
    example: { customer: EXAMPLE_IDS.customers, ...EXAMPLE_GIFT_CARD },
    load: async (reader, { customer }) => requireCustomer(await reader.get('customers', customer), customer),
    when: effectiveTimeOf,
    decide: (customer, { customer: _id, ...fields }, context) => {
      const created = createGiftCard(customer, fields, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: defineList('gift_cards', giftCardSchema, {
    summary: 'Lists gift cards, newest first.',
    description: 'Filter by customer to see the gift cards that one customer bought.',
    filters: { customer: p.id('Only gift cards of this customer.') },
  }),

  retrieve: defineRetrieve('gift_cards', giftCardSchema, {
    summary: 'Retrieves a gift card.',
    description: 'Nothing changes a gift card after its creation, so its response is always the same.',
  }),
}
`,
  'commands/gift-cards/create.ts': `import { giftCards } from '../../src/api/operations/gift-cards.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(giftCards.create, {
  summary: 'Create a gift card',
  examples: ['--customer cus_4bT9… --amount 5000 --currency eur'],
})
`,
  'commands/gift-cards/list.ts': `import { giftCards } from '../../src/api/operations/gift-cards.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(giftCards.list, {
  summary: 'List gift cards, newest first',
  examples: ['', '--customer cus_4bT9…'],
})
`,
  'commands/gift-cards/retrieve.ts': `import { giftCards } from '../../src/api/operations/gift-cards.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(giftCards.retrieve, {
  summary: 'Retrieve a gift card',
  examples: ['gc_4bT9…'],
})
`,
}

/** The rows that the list of ARCHITECTURE.md describes, by step. */
export const LISTED_ROWS: readonly Row[] = [
  // 2. A collection.
  [
    'src/store/port/collections.ts',
    'import type { Customer,',
    "import type { GiftCard } from '../../domain/payments/gift-cards.ts'\n",
  ],
  [
    'src/store/port/collections.ts',
    '  test_clocks: resource',
    "  gift_cards: resource<GiftCard>('gift_card', 'gc_', { filters: filtersOn('customer') }),\n",
  ],
  // 3. The catalog.
  [
    'src/api/resources/catalog.ts',
    '  test_clocks: {',
    `  gift_cards: {
    columns: ['id', 'amount', 'created', 'customer'],
    identity: ['amount'],
    operations: ['create', 'list', 'retrieve'],
    topic: 'gift-cards',
  },
`,
  ],
  // 4. Operations.
  [
    'src/api/operations/example-requests.ts',
    '/** Example parameters of `customers.create`. */',
    `/** Example parameters of \`giftCards.create\` without the customer. */
export const EXAMPLE_GIFT_CARD = { amount: 5000, currency: 'eur' } as const

`,
  ],
  // 5. Exports.
  [
    'src/api/index.ts',
    'export type { PaymentMethod }',
    "export type { GiftCard } from '../domain/payments/gift-cards.ts'\n",
  ],
  ['src/api/index.ts', 'export { invoiceItems }', "export { giftCards } from './operations/gift-cards.ts'\n"],
  // 6. An event type.
  [
    'src/domain/core/event-types.ts',
    "  'test_clock.created': [",
    "  'gift_card.created': ['The API creates a gift card.', 'No action needed.'],\n",
  ],
  [
    'src/engine/invariants/history.ts',
    "  'test_clock.created': '- → ready'",
    "  'gift_card.created': '- → live',\n",
  ],
  [
    'src/api/openapi/event-examples.ts',
    '  add(clockChanges())',
    '  add([createGiftCard(customer.after, EXAMPLE_GIFT_CARD, EXAMPLE_CONTEXT)])\n',
  ],
  [
    'src/api/openapi/event-examples.ts',
    'import type { PaymentMethod }',
    "import { createGiftCard } from '../../domain/payments/gift-cards.ts'\n",
  ],
  [
    'src/cli/trigger/trigger-recipes.ts',
    "  'test_clock.created': recipe",
    `  'gift_card.created': recipe('creates a gift card', [
    CUSTOMER,
    post('gift_card', 'gift_cards', { customer: \`\\\${customer.id}\`, amount: 5000, currency: 'eur' }),
  ]),
`,
  ],
  ['src/cli/trigger/trigger-recipes.ts', '  REFUND,\n', '  post,\n'],
  ['src/presentation/event-outcomes.ts', "  'test_clock.created'", "  'gift_card.created': 'neutral',\n"],
  ['src/domain/events/events.ts', '  test_clock: testClockSchema', '  gift_card: giftCardSchema,\n'],
  [
    'src/domain/events/events.ts',
    'import { paymentMethodSchema }',
    "import { giftCardSchema } from '../payments/gift-cards.ts'\n",
  ],
  ['src/api/openapi/event-examples.ts', '  EXAMPLE_IDS,', '  EXAMPLE_GIFT_CARD,\n'],
  // 10. Commands.
  [
    'package.json',
    '      "clock": {',
    '      "gift-cards": {\n        "description": "Gift cards of customers."\n      },\n',
  ],
  ['src/cli/output/command-groups.ts', "'cards', 'stats'", "'gift-cards', "],
  [
    'test/support/every-command.ts',
    "  'invoice-items:create'",
    "  'gift-cards:create': '--customer cus_1 --amount 5000 --currency eur',\n",
  ],
  [
    '.github/guides/webhooks.md',
    '| `test_clock.created`',
    '| `gift_card.created` | The API creates a gift card. | No action needed. |\n',
  ],
]

/** The rows that the compiler reports. */
export const COMPILER_ROWS: readonly Row[] = [
  ['src/cli/explore/compare/money.ts', '  invoice_item: null', '  gift_card: null,\n'],
  ['src/cli/explore/run/sandbox-objects.ts', '  card_sessions: null', '  gift_cards: null,\n'],
  ['src/cli/views/next-step.ts', '  fault: (', '  gift_card: ({ customer }) => retrieve(customer),\n'],
  ['src/dashboard/screens/objects/object-facts.ts', '  refund: NOTHING', '  gift_card: NOTHING,\n'],
  ['src/dashboard/screens/objects/object-parts.tsx', '  refunds: {}', '  gift_cards: {},\n'],
  ['src/dashboard/data/related.ts', '  refund: NONE', '  gift_card: NONE,\n'],
  [
    'test/store/samples.ts',
    '  test_clocks: {',
    `  gift_cards: {
    id: 'gc_sample',
    object: 'gift_card',
    ...listed,
    customer: customer.id,
    amount: 5000,
    currency: 'eur',
    metadata: {},
    test_clock: null,
  },
`,
  ],
]

/** The rows that tests report. */
export const TEST_ROWS: readonly Row[] = [
  [
    'test/property/sample-snapshot.ts',
    '  await addInvoiceItems(sandbox, later.id)',
    "  await sandbox.call(api.giftCards.create, { customer, amount: 5000, currency: 'eur' })\n",
  ],
  [
    'test/api/crowded-sandbox.ts',
    '    test_clocks: clock.id',
    "    gift_cards: (await sandbox.call(api.giftCards.create, { customer, amount: 5000, currency: 'eur' })).id,\n",
  ],
  [
    'test/scenarios/isolation/every-object.ts',
    '  const { data: subscriptions }',
    "  await call(api.giftCards.create, { customer, amount: 5000, currency: 'eur' })\n",
  ],
  [
    'test/scenarios/isolation/api-suite.ts',
    '  const refunded = await call',
    "  const giftCard = await call(api.giftCards.create, { customer, amount: 5000, currency: 'eur' })\n  await call(api.giftCards.retrieve, { id: giftCard.id })\n",
  ],
  [
    'test/scenarios/restart.test.ts',
    '  await call(api.cardSessions.create, { customer: ada.id })',
    "  await call(api.giftCards.create, { customer: ada.id, amount: 5000, currency: 'eur' })\n",
  ],
]
