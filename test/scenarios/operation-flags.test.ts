import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/api/api.ts'
import { RESOURCES } from '../../src/api/resources/catalog.ts'
import { RANGE_BOUNDS, toDashedName } from '../../src/cli/parse/param-kinds.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))

/** Parameters without a separate flag, by operation and name, with the reason. */
const REASONS: Readonly<Record<string, string>> = {
  'checkoutSessions.create subscription_data': 'its parameters are flags of their own, and --item',
  'checkoutSessions.create branding': '--business-name, --logo and --brand-color',
  'checkoutSessions.create discounts': '--coupon and --promotion-code',
  'paymentSessions.create branding': '--business-name, --logo and --brand-color',
  'cardSessions.create branding': '--business-name, --logo and --brand-color',
  'portalSessions.create branding': '--business-name, --logo and --brand-color',
  'portalSessions.create features': 'each has its own flag',
  'invoices.pay off_session': '--on-session is its opposite',
  'subscriptions.update items': '--item',
  'subscriptions.preview items': '--item',
  'subscriptions.update discount': '--coupon',
  'subscriptions.preview discount': '--coupon',
  'subscriptions.update pause_collection': 'subscriptions pause and subscriptions resume',
  'payments.create off_session': '--on-session is its opposite',
  'testClocks.create frozen_time': '--at',
  'testClocks.advance frozen_time': '--to',
  'testClocks.advance by': 'the second word, such as 1mo',
  'payments.list payment_session': '--session, by the prefix of its id',
  'payments.list checkout_session': '--session, by the prefix of its id',
  'events.resend webhook_endpoint': '--endpoint',
  'faults.create type': 'the word, such as duplicate',
  'faults.create match': '--operation, --events, --endpoint and --customer',
  'faults.create delay_ms': '--delay with a duration',
  'faults.create http_status': '--status',
  'faults.create bytes_per_second': '--speed',
  'faults.create order': '--concurrent',
  'requestLogs.list status': '--status with a class such as 4xx',
  'checkoutSessions.complete test_card': '--card with a name',
  'paymentSessions.complete test_card': '--card with a name',
  'cardSessions.complete test_card': '--card with a name',
  'invoices.payAsCustomer test_card': '--card with a name',
  'projections.retrieve subscription': 'the id',
  'projections.retrieve test_clock': 'the id',
  'statistics.retrieve test_clock': '--clock',
}

/** Commands that are not named after their route. */
const IRREGULAR_COMMANDS: Readonly<Record<string, string>> = {
  'DELETE api_keys/:id': 'keys revoke',
  'DELETE subscriptions/:id': 'subscriptions cancel',
  'POST test_helpers/faults': 'faults add',
  'DELETE test_helpers/faults': 'faults clear',
  'GET customers/:id/payment_methods': 'cards list',
  'GET projections': 'upcoming',
  'GET statistics': 'stats',
}

const VERBS: Readonly<Record<string, readonly [onList: string, onObject: string]>> = {
  GET: ['list', 'retrieve'],
  POST: ['create', 'update'],
  DELETE: ['', 'delete'],
}

/** Returns the command of an operation, such as `customers list`. */
function commandOf(method: string, path: string): string {
  const route = path.replace('/v1/', '')
  const [name, id, action] = route.replace('test_helpers/', '').split('/')
  const topic = RESOURCES.find((resource) => resource.name === name)?.topic
  const verb = action?.replaceAll('_', '-') ?? VERBS[method]?.[id === undefined ? 0 : 1]
  return IRREGULAR_COMMANDS[`${method} ${route}`] ?? `${topic} ${verb}`
}

const test = suite('scenarios/operation-flags')
const used = new Set<string>()

for (const { name, operation } of operations) {
  test(`the command of ${name} has a flag for every parameter`, () => {
    const words = commandOf(operation.method, operation.path)
    const command = commands[words.replaceAll(' ', ':')]
    assert.ok(command, `there is no '${words}'`)
    for (const [param, schema] of Object.entries(operation.params.properties)) {
      const flags = schema.format === 'range' ? RANGE_BOUNDS.map((bound) => `${param}-${bound}`) : [param]
      const isSaid = param === 'id' || flags.every((flag) => toDashedName(flag) in command.flags)
      const reason = `${name} ${param}`
      if (!isSaid) used.add(reason)
      assert.ok(isSaid || REASONS[reason] !== undefined, `${reason} has neither a flag nor a reason`)
    }
  })
}

test('every listed exception is a parameter without a flag of its name', () => {
  assert.equal([...used].sort(), Object.keys(REASONS).sort())
})

test.run()
