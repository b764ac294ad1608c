import fc from 'fast-check'
import { api } from '../../src/api/index.ts'
import type { Schema } from '../../src/api/schema/schema.ts'
import { runs } from '../support/property.ts'
import { checkoutParams, customerParams, paymentParams } from '../support/random-params.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('property/round-trip')

type Creates = Parameters<Sandbox['send']>[0] & { readonly params: Schema<unknown> }

/** Of an answer, what the request could have said. */
function echoed(answer: unknown, schema: Schema<unknown>): unknown {
  if (Array.isArray(answer)) return answer.map((inner) => echoed(inner, schema.items ?? {}))
  if (typeof answer !== 'object' || answer === null || !schema.properties) return answer
  const fields = new Map(Object.entries(answer))
  const known = Object.entries(schema.properties).filter(([name]) => fields.has(name))
  return Object.fromEntries(known.map(([name, inner]) => [name, echoed(fields.get(name), inner)]))
}

function isEchoTaken(create: Creates, bodies: fc.Arbitrary<object>): Promise<void> {
  return fc.assert(
    fc.asyncProperty(bodies, async (given) => {
      const sandbox = createSandbox()
      const isSession = create !== api.customers.create
      const body = isSession ? { ...given, customer: (await newCustomer(sandbox)).id } : given
      const first = echoed(await sandbox.send(create, { body: structuredClone(body) }), create.params)
      const again = echoed(await sandbox.send(create, { body: structuredClone(first) }), create.params)
      assert.equal(again, first)
    }),
    runs(100),
  )
}

test('a customer that was created can be created again from its own fields', () =>
  isEchoTaken(api.customers.create, customerParams))

test('a checkout session that was created can be created again from its own fields', () =>
  isEchoTaken(
    api.checkoutSessions.create,
    checkoutParams.filter(({ expires_at }) => expires_at === undefined || expires_at > 1_705_320_000),
  ))

test('a payment session that was created can be created again from its own fields', () =>
  isEchoTaken(api.paymentSessions.create, paymentParams))

test.run()
