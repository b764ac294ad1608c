import {
  createExpiredSandboxError,
  createSandboxRecord,
  expireSandbox,
  listSandboxErrors,
  markSandboxReset,
  requireActiveSandbox,
  requireOtherThanDefault,
  requireSandboxAccess,
  type SandboxParams,
  type SandboxStorage,
  updateSandbox,
} from '../../../src/domain/sandboxes/sandboxes.ts'
import { formatTimestamp } from '../../../src/domain/text/format-timestamp.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sandboxes/sandboxes')

const ID = 'sbx_9s6XGDTqBxzVbPRyfNQG1aB2'

const newSandbox = (fields: SandboxParams = {}) => createSandboxRecord(fields, 'durable', createRuleContext())

test('a sandbox without parameters is empty, unnamed and never expires', () => {
  const { id, ...fields } = newSandbox()
  assert.match(id, /^sbx_/)
  assert.equal(fields, {
    object: 'sandbox',
    created: START,
    livemode: false,
    name: null,
    status: 'active',
    storage: 'durable',
    from: null,
    expires_at: null,
    reset_at: null,
  })
  assert.is(newSandbox({ storage: 'memory' }).storage, 'memory')
})

const codesOf = (fields: SandboxParams, storages: readonly SandboxStorage[] = ['durable', 'memory']) =>
  listSandboxErrors(fields, { wallNow: START, storages }).map(({ code, param }) => `${param} ${code}`)

test('accepts a sandbox or the name of a state as the source', () => {
  for (const from of ['default', ID, 'before-upgrade', '_v1.2']) assert.equal(codesOf({ from }), [])
  for (const from of ['../secrets', '.hidden', 'a b', '', 'x'.repeat(101)])
    assert.equal(codesOf({ from }), ['from parameter_invalid_string'])
})

test('rejects an expiry that is not in the future or is in milliseconds', () => {
  assert.equal(codesOf({ expires_at: START + 1 }), [])
  for (const expires_at of [START, START - 1, START * 1000])
    assert.equal(codesOf({ expires_at }), ['expires_at timestamp_invalid'])
})

test('rejects a storage type that the database of the server does not support', () => {
  for (const storages of [['durable'], ['memory']] as const) {
    const [supported] = storages
    const other = supported === 'durable' ? 'memory' : 'durable'
    assert.equal(codesOf({ storage: supported }, storages), [])
    assert.equal(codesOf({ storage: other }, storages), ['storage sandbox_storage_unavailable'])
  }
})

test('the error for an unsupported storage type names the option to change', () => {
  const messageOf = (storage: SandboxStorage) =>
    listSandboxErrors({ storage }, { wallNow: START, storages: [] })[0]?.message ?? ''
  assert.match(messageOf('durable'), 'without --memory')
  assert.match(messageOf('memory'), 'Omit storage')
})

test('reports every validation error', () => {
  const fields: SandboxParams = { from: '.x', storage: 'memory', expires_at: 1 }
  assert.is(codesOf(fields, ['durable']).length, 3)
})

test('an update changes only the sent fields', () => {
  const sandbox = newSandbox({ name: 'Old', expires_at: START + DAY })
  assert.equal(updateSandbox(sandbox, { name: 'New' }).after, { ...sandbox, name: 'New' })
  assert.equal(updateSandbox(sandbox, { expires_at: null }).after, { ...sandbox, expires_at: null })
  assert.equal(updateSandbox(sandbox, {}).after, sandbox)
})

test('an expired sandbox can be neither updated nor reset', async () => {
  const { after: expired } = expireSandbox(newSandbox())
  assert.is(expired.status, 'expired')
  const rules = [
    () => updateSandbox(expired, {}),
    () => markSandboxReset(expired, START),
    () => requireActiveSandbox(expired, 'reset'),
  ]
  for (const rule of rules) {
    const { code, message } = await catchDomainError(rule)
    assert.is(code, 'sandbox_unexpected_state')
    assert.match(message, /it has expired\. Create a new one/)
  }
})

test('rejects operations that the default sandbox does not allow', async () => {
  requireOtherThanDefault(ID, 'reset')
  const { code, message } = await catchDomainError(() => requireOtherThanDefault('default', 'reset'))
  assert.is(code, 'sandbox_protected')
  assert.match(message, "Cannot reset the sandbox 'default'")
  const updated = await catchDomainError(() => requireOtherThanDefault('default', 'update'))
  assert.not.match(updated.message, '--reset')
})

test('a key of the default sandbox can access every sandbox, any other key only its own sandbox', async () => {
  for (const id of [ID, 'default', null]) requireSandboxAccess('default', id)
  requireSandboxAccess(ID, ID)
  for (const id of ['default', 'sbx_000000000000000000000000', null]) {
    assert.is((await catchDomainError(() => requireSandboxAccess(ID, id))).code, 'sandbox_key_not_allowed')
  }
})

test('the error of a key of an expired sandbox names the sandbox and the time', () => {
  const { code, message } = createExpiredSandboxError({ id: ID, expires_at: START, status: 'expired' })
  assert.is(code, 'sandbox_expired')
  assert.match(message, `'${ID}' of this API key expired at ${formatTimestamp(START)}, and`)
  const kept = createExpiredSandboxError({ id: ID, expires_at: START, status: 'active' })
  assert.match(kept.message, /Postpone expires_at/)
})

test.run()
