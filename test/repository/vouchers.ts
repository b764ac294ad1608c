/** A text to insert into a file of the project, before the first occurrence of another text. */
export type Row = readonly [file: string, before: string, text: string]

const COMMAND_IMPORTS = `import { vouchers } from '../../src/api/operations/vouchers.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
`

/** The new files of a resource that the tests add to a copy of the project, by path. */
export const NEW_FILES: Readonly<Record<string, string>> = {
  'src/domain/payments/vouchers.ts': `import { type Creation, toCreation, type RuleContext } from '../core/changes.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'

/** The schema of a voucher. */
export const voucherSchema = s.resourceObject('voucher', 'A discount on one purchase.', {
  percent_off: s.nullable(s.integer(1, 'The discount in percent; null if it is an amount.')),
  amount_off: s.nullable(s.amount('The discount; null if it is a percentage.')),
  currency: s.nullable(s.currencyCode('The currency of the amount.')),
  metadata: s.metadata,
})

export type Voucher = s.ValueOf<typeof voucherSchema>

/** The parameters of a new voucher. */
export const voucherParams = p.shape(
  {},
  {
    percent_off: p.integer({ min: 1, max: 100 }, 'Discount in percent.'),
    amount_off: p.amount(1, 'Discount in minor units.'),
    currency: p.currency('Currency of the amount, such as eur.'),
    metadata: p.metadata(),
  },
)

/** Creates a voucher. */
export function createVoucher(fields: s.ValueOf<typeof voucherParams>, context: RuleContext): Creation<Voucher> {
  return toCreation('voucher.created', {
    id: context.newId('vch_'),
    object: 'voucher',
    created: context.now,
    livemode: false,
    percent_off: fields.percent_off ?? null,
    amount_off: fields.amount_off ?? null,
    currency: fields.currency ?? null,
    metadata: createMetadata(fields.metadata),
  })
}
`,
  'src/api/operations/vouchers.ts': `import { createVoucher, voucherParams, voucherSchema } from '../../domain/payments/vouchers.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import { defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation } from '../core/retrieve.ts'

/** Operations on vouchers. */
export const vouchers = {
  create: defineWriteOperation({
    path: '/v1/vouchers',
    summary: 'Creates a voucher.',
    description: 'Give a percentage, or an amount in minor units with its currency.',
    params: voucherParams,
    response: voucherSchema,
    example: { percent_off: 20 },
    load: async () => null,
    when: () => REAL_TIME,
    decide: (_loaded, fields, context) => {
      const created = createVoucher(fields, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: defineListOperation('vouchers', voucherSchema, {
    summary: 'Lists vouchers, newest first.',
    description: 'Returns every voucher, because a voucher is never deleted.',
    filters: {},
  }),

  retrieve: defineRetrieveOperation('vouchers', voucherSchema, {
    summary: 'Retrieves a voucher.',
    description: 'Nothing changes a voucher after its creation, so its response is always the same.',
  }),
}
`,
  'commands/vouchers/create.ts': `${COMMAND_IMPORTS}
export default defineOperationCommand(vouchers.create, {
  summary: 'Create a voucher',
  examples: ['--percent-off 20', '--amount-off 500 --currency eur'],
})
`,
  'commands/vouchers/list.ts': `${COMMAND_IMPORTS}
export default defineOperationCommand(vouchers.list, { summary: 'List vouchers, newest first', examples: [''] })
`,
  'commands/vouchers/retrieve.ts': `${COMMAND_IMPORTS}
export default defineOperationCommand(vouchers.retrieve, { summary: 'Retrieve a voucher', examples: ['vch_4bT9…'] })
`,
}

/** The rows that the list of ARCHITECTURE.md describes, by step. */
export const LISTED_ROWS: readonly Row[] = [
  // 2. A collection.
  [
    'src/store/port/collections.ts',
    'import type { IdempotencyKey }',
    "import type { Voucher } from '../../domain/payments/vouchers.ts'\n",
  ],
  [
    'src/store/port/collections.ts',
    '  test_clocks: resource',
    "  vouchers: resource<Voucher>('voucher', 'vch_'),\n",
  ],
  // 3. The catalog.
  [
    'src/api/resources/catalog.ts',
    '  test_clocks: {',
    `  vouchers: {
    columns: ['id', 'percent_off|amount_off', 'created'],
    identity: ['percent_off|amount_off'],
    operations: ['create', 'list', 'retrieve'],
    topic: 'vouchers',
  },
`,
  ],
  // 5. Exports.
  [
    'src/api/index.ts',
    'export type { ProjectedEvent,',
    "export type { Voucher } from '../domain/payments/vouchers.ts'\n",
  ],
  [
    'src/api/index.ts',
    'export { webhookDeliveries }',
    "export { vouchers } from './operations/vouchers.ts'\n",
  ],
  // 6. An event type.
  [
    'src/domain/core/event-types.ts',
    "  'test_clock.created': [",
    "  'voucher.created': ['The API creates a voucher.', 'No action needed.'],\n",
  ],
  [
    'src/engine/invariants/history.ts',
    "  'test_clock.created': '- → ready'",
    "  'voucher.created': '- → live',\n",
  ],
  [
    'src/api/openapi/event-examples.ts',
    '  add(clockChanges())',
    '  add([createVoucher(getExampleParams(vouchers.create), EXAMPLE_CONTEXT)])\n',
  ],
  [
    'src/api/openapi/event-examples.ts',
    'import {\n  type AddEvents,',
    `import { createVoucher } from '../../domain/payments/vouchers.ts'
import { vouchers } from '../operations/vouchers.ts'
`,
  ],
  [
    'src/cli/trigger/trigger-recipes.ts',
    "  'test_clock.created': createRecipe",
    "  'voucher.created': createRecipe('creates a voucher', [createPostStep('voucher', 'vouchers', { percent_off: 20 })]),\n",
  ],
  ['src/domain/events/events.ts', '  test_clock: testClockSchema', '  voucher: voucherSchema,\n'],
  [
    'src/domain/events/events.ts',
    'import { API_VERSION }',
    "import { voucherSchema } from '../payments/vouchers.ts'\n",
  ],
  // 10. Commands.
  [
    'package.json',
    '      "clock": {',
    '      "vouchers": {\n        "description": "Discounts on purchases."\n      },\n',
  ],
  ['src/cli/output/command-groups.ts', "'cards', 'stats'", "'vouchers', "],
]

/** The rows that the compiler reports. */
export const COMPILER_ROWS: readonly Row[] = [
  [
    'test/store/samples.ts',
    '  test_clocks: {',
    `  vouchers: {
    ...{ id: 'vch_sample', object: 'voucher', ...listed, metadata: {} },
    ...{ percent_off: null, amount_off: 500, currency: 'eur' },
  },
`,
  ],
]

/** The rows that tests report. */
export const TEST_ROWS: readonly Row[] = [
  [
    'test/scenarios/isolation/api-suite.ts',
    '  const refunded = await call',
    `  const voucher = await call(api.vouchers.create, { percent_off: 20 })
  await call(api.vouchers.retrieve, { id: voucher.id })
`,
  ],
]
