import {
  createFault,
  FAULT_OPTIONS,
  FAULTS,
  type FaultFields,
  type FaultKind,
  type FaultOptions,
  type FaultType,
  faultKindOf,
  MAX_FAULTS,
  requireFaultCapacity,
  resolveOptions,
  validateFault,
} from '../../src/domain/faults.ts'
import { catchDomainError } from '../support/catch-domain-error.ts'
import { createRuleContext, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/faults')

const KINDS = Object.keys(FAULTS) as FaultKind[]
const TYPES: readonly FaultType[] = Object.values(FAULTS).flat()

/** A valid value of each option, other than its default. */
const VALUES: { readonly [O in keyof FaultOptions]: NonNullable<FaultOptions[O]> } = {
  delay_ms: 250,
  http_status: 503,
  retry_after: 2,
  bytes_per_second: 5,
  copies: 4,
  order: 'concurrent',
  decline_code: 'lost_card',
}
const OPTIONS = Object.keys(VALUES) as (keyof FaultOptions)[]

const MATCHES: Readonly<Record<FaultKind, readonly string[]>> = {
  request: ['operation', 'customer'],
  delivery: ['event_type', 'webhook_endpoint', 'customer'],
  payment: ['customer'],
}
const MATCH_VALUES = { operation: '*', event_type: '*', webhook_endpoint: 'we_1', customer: 'cus_1' }

test('each type has one kind, and no two types have the same name', () => {
  assert.is(new Set(TYPES).size, TYPES.length)
  for (const kind of KINDS) {
    assert.ok(FAULTS[kind].every((type) => faultKindOf(type) === kind))
  }
})

for (const type of TYPES) {
  const known = Object.keys(FAULT_OPTIONS[type] ?? {})

  test(`${type} takes ${known.join(' and ') || 'no options'}`, () => {
    for (const option of OPTIONS) {
      const errors = validateFault({ type, [option]: VALUES[option] }, START)
      const params = errors.map(({ code, param }) => [code, param])
      assert.equal(params, known.includes(option) ? [] : [['parameters_exclusive', option]], option)
    }
  })

  test(`${type} has the defaults of its options, and null for all others`, () => {
    const expected = {
      ...Object.fromEntries(OPTIONS.map((option) => [option, null])),
      ...FAULT_OPTIONS[type],
    }
    assert.equal(resolveOptions({ type }), expected as unknown as FaultOptions)
    for (const option of OPTIONS.filter((one) => known.includes(one))) {
      assert.is(resolveOptions({ type, [option]: VALUES[option] })[option], VALUES[option])
    }
  })

  test(`${type} is matched by the fields of its kind only`, () => {
    for (const [field, value] of Object.entries(MATCH_VALUES)) {
      const errors = validateFault({ type, match: { [field]: value } }, START)
      const isKnown = MATCHES[faultKindOf(type)].includes(field)
      const expected = isKnown ? [] : [['parameters_exclusive', `match[${field}]`]]
      assert.equal(
        errors.map(({ code, param }) => [code, param]),
        expected,
        field,
      )
    }
  })
}

test('an error about an option or a match names those that the type has', () => {
  const messages = (fields: FaultFields) => validateFault(fields, START).map(({ message }) => message)
  assert.match(messages({ type: 'swap', copies: 2 })[0] ?? '', 'swap has no options')
  assert.match(messages({ type: 'duplicate', delay_ms: 2 })[0] ?? '', 'has the options copies, order')
  assert.match(
    messages({ type: 'hold', match: { operation: '*' } })[0] ?? '',
    'hold is a fault on deliveries, which are matched by event_type, webhook_endpoint, customer',
  )
})

test('reports every error of a fault at once, and none about options of an unknown type', () => {
  const fields = { type: 'swap', copies: 2, match: { operation: '*' }, expires_at: START } as const
  assert.equal(
    validateFault(fields, START).map(({ param }) => param),
    ['expires_at', 'copies', 'match[operation]'],
  )
  assert.equal(validateFault({ ...fields, type: 'unknown' as 'swap' }, START).length, 1)
  assert.equal(validateFault({ ...fields, type: 'unknown' as 'swap' }, START)[0]?.param, 'expires_at')
})

test('a fault without limits applies to every match until it is deleted', () => {
  const { after } = createFault({ type: 'duplicate' }, createRuleContext())
  assert.equal(after, {
    ...{ id: after.id, object: 'fault', created: START, livemode: false, type: 'duplicate' },
    match: { operation: null, event_type: null, webhook_endpoint: null, customer: null },
    ...{ delay_ms: null, http_status: null, retry_after: null, bytes_per_second: null },
    ...{ copies: 2, order: 'sequential', decline_code: null },
    ...{ skip: 0, times: null, probability: 100, seed: after.id, expires_at: null, matched: 0, applied: 0 },
  })
  assert.match(after.id, /^flt_/)
})

test('a fault keeps the given match, options and limits', () => {
  const fields: FaultFields = {
    type: 'error',
    http_status: 429,
    retry_after: 0,
    match: { operation: 'refunds.*' },
    ...{ skip: 3, times: 2, probability: 25, seed: 'x', expires_at: START + 60 },
  }
  const { match: _match, ...others } = fields
  const { after } = createFault(fields, createRuleContext())
  assert.equal({ ...after, ...others }, after)
  assert.equal(after.match, {
    operation: 'refunds.*',
    event_type: null,
    webhook_endpoint: null,
    customer: null,
  })
})

test('a sandbox has at most 100 faults', async () => {
  requireFaultCapacity(MAX_FAULTS - 1)
  const { code, message } = await catchDomainError(() => requireFaultCapacity(MAX_FAULTS))
  assert.is(code, 'fault_limit')
  assert.match(message, 'DELETE /v1/test_helpers/faults')
})

test.run()
