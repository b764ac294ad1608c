import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { Schema } from '../../src/domain/core/schema.ts'
import { runCount } from '../support/property.ts'
import { checkoutParams, customerParams, paymentParams } from '../support/random-params.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('property/round-trip')

releaseStoresAfterEachCase()

type CreateOperation = Parameters<Sandbox['send']>[0] & { readonly params: Schema<unknown> }

/** Returns the fields of a response that are also request parameters. */
function requestFields(answer: unknown, schema: Schema<unknown>): unknown {
  if (Array.isArray(answer)) return answer.map((inner) => requestFields(inner, schema.items ?? {}))
  if (typeof answer !== 'object' || answer === null || !schema.properties) return answer
  const fields = new Map(Object.entries(answer))
  const known = Object.entries(schema.properties).filter(([name]) => fields.has(name))
  return Object.fromEntries(known.map(([name, inner]) => [name, requestFields(fields.get(name), inner)]))
}

function assertRoundTrip(create: CreateOperation, bodies: fc.Arbitrary<object>): Promise<void> {
  return fc.assert(
    fc.asyncProperty(bodies, async (given) => {
      const sandbox = createSandbox()
      const isSession = create !== api.customers.create
      const body = isSession ? { ...given, customer: (await newCustomer(sandbox)).id } : given
      const first = requestFields(await sandbox.send(create, { body: structuredClone(body) }), create.params)
      const again = requestFields(await sandbox.send(create, { body: structuredClone(first) }), create.params)
      assert.equal(again, first)
    }),
    runCount(100),
  )
}

test('a customer can be created from the fields of another customer', () =>
  assertRoundTrip(api.customers.create, customerParams))

test('a checkout session can be created from the fields of another session', () =>
  assertRoundTrip(
    api.checkoutSessions.create,
    checkoutParams.filter(({ expires_at }) => expires_at === undefined || expires_at > 1_705_320_000),
  ))

test('a payment session can be created from the fields of another session', () =>
  assertRoundTrip(api.paymentSessions.create, paymentParams))

test.run()
