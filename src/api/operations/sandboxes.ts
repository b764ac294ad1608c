import { toDeletedObject, toRemoval } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import { addSandboxIdToKey } from '../../domain/sandboxes/api-keys.ts'
import {
  createDamagedSandboxError,
  createSandboxRecord,
  DEFAULT_SANDBOX,
  deletedSandboxSchema,
  expireSandbox,
  finishSandboxCreation,
  isUnfinishedSandbox,
  listSandboxErrors,
  markSandboxReset,
  newSandboxSchema,
  presentSandbox,
  RESET_TARGETS,
  requireActiveSandbox,
  requireNoCopySource,
  requireNoLaterExpiry,
  requireOtherThanDefault,
  requireSandboxAccess,
  type Sandbox,
  type SandboxCounts,
  sandboxParams,
  sandboxSchema,
  sandboxUpdateParams,
  toUnfinishedSandbox,
  updateSandbox,
} from '../../domain/sandboxes/sandboxes.ts'
import { listExpiryErrors } from '../../domain/time/unix-seconds.ts'
import type { SandboxManager } from '../../engine/sandbox-manager.ts'
import { digestApiKey } from '../core/auth.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import {
  defineReadOperation,
  defineSandboxManagementOperation,
  type ServerSandboxes,
} from '../core/operation.ts'
import { requireById } from '../core/retrieve.ts'
import { getServerSandboxes } from '../core/sandbox-change.ts'

/** The id that stands for the sandbox of the API key. */
const CURRENT = 'current'

const PATH = '/v1/sandboxes/:id'

/** Operations on sandboxes. */
export const sandboxes = {
  create: defineSandboxManagementOperation({
    path: '/v1/sandboxes',
    summary: 'Creates a sandbox and returns its API key once.',
    description:
      'Store `api_key` and `webhook_secret`, because no other response contains them. With `from`, the sandbox is a copy with the same objects, ids, events and test clocks. The copy has its own keys and no pending deliveries; its webhook endpoints are disabled and have new secrets. A restricted key cannot use `from`, because the secret key of the copy may read all of its objects. Only a key of the default sandbox may create a sandbox.',
    params: sandboxParams,
    response: newSandboxSchema,
    example: { name: 'Worker 1', from: 'default' },
    cost: 'expensive',
    // An empty sandbox is cheap, because its creation takes about as long as that of a customer.
    isCheap: ({ from }) => from === undefined,
    validate: (params, { wallNow, sandboxes: manager }) =>
      listSandboxErrors(params, { wallNow, storages: manager?.storages ?? [] }),
    async prepare(access, params) {
      const { manager, registry } = access
      requireSandboxAccess(manager.current, null)
      if (!access.isSecretKey) requireNoCopySource(params)
      const [usualStorage = 'memory'] = manager.storages
      const sandbox = createSandboxRecord(params, usualStorage, {
        newId: registry.newId,
        wallNow: registry.wallNow(),
      })
      const api_key = addSandboxIdToKey(registry.newApiKey('secret'), sandbox.id)
      const webhook_secret = registry.newWebhookSecret()
      const apiKey = { secret: api_key, digest: digestApiKey(api_key) }
      const secrets = { apiKey, webhookSecret: webhook_secret }
      const counts = await writeContents(access, sandbox, secrets)
      const result = { ...presentSandbox(sandbox, counts, manager), api_key, webhook_secret }
      return {
        async decide(reader) {
          const begun = await reader.get('sandboxes', sandbox.id)
          return { changes: [finishSandboxCreation(sandbox, begun)], result }
        },
        async revert() {
          await manager.remove(sandbox)
          await removeUnfinished(access, sandbox)
        },
      }
    },
  }),

  list: defineListOperation('sandboxes', sandboxSchema, {
    description:
      'Returns active and expired sandboxes with the numbers of their objects and events, which are 0 if the files of a sandbox are damaged. The sandbox `default` is not in the list. Only a key of the default sandbox may list sandboxes.',
    // This list is expensive, because `present` opens each sandbox with unknown counts.
    cost: 'expensive',
    filters: createFieldFilters(sandboxSchema, { status: 'Only sandboxes with this status.' }),
    requireAccess: (runtime) => requireSandboxAccess(getServerSandboxes(runtime).manager.current, null),
    // A damaged sandbox must not prevent the list of the other sandboxes.
    async present(sandbox, _reader, runtime) {
      const { manager } = getServerSandboxes(runtime)
      return presentSandbox(sandbox, (await findCounts(manager, sandbox)) ?? NO_RECORDS, manager)
    },
  }),

  retrieve: defineReadOperation({
    path: PATH,
    summary: 'Retrieves a sandbox.',
    description:
      'The id `current` stands for the sandbox of the API key, `default` for the default sandbox, which always exists. The keys of a sandbox can only retrieve that sandbox.',
    params: p.shape({
      id: p.id('The id of the sandbox, `current` for the sandbox of the API key, or `default`.'),
    }),
    response: sandboxSchema,
    async load(_reader, { id }, runtime) {
      const access = getServerSandboxes(runtime)
      const sandbox = await loadSandbox(access, id)
      return presentSandbox(sandbox, await countsOf(access.manager, sandbox), access.manager)
    },
  }),

  update: defineSandboxManagementOperation({
    path: PATH,
    summary: 'Changes the name or the expiry of a sandbox.',
    description:
      'Changes only the parameters in the body; null unsets a parameter. The id `current` stands for the sandbox of the API key, which cannot remove or postpone the expiry. An expired sandbox cannot be updated.',
    nulls: 'unset',
    params: sandboxUpdateParams,
    response: sandboxSchema,
    example: { name: 'Tests of the checkout', expires_at: null },
    validate: ({ expires_at }, { wallNow }) => listExpiryErrors(expires_at, wallNow),
    async prepare(access, { id, ...fields }) {
      const sandbox = await loadOther(access, id, 'update')
      const counts = await countsOf(access.manager, sandbox)
      let latest = sandbox
      return {
        async decide(reader) {
          const current = await requireById(reader, 'sandboxes', sandbox.id)
          if (access.manager.current !== DEFAULT_SANDBOX) requireNoLaterExpiry(current, fields)
          const updated = updateSandbox(current, fields)
          latest = updated.after
          return { changes: [updated], result: presentSandbox(updated.after, counts, access.manager) }
        },
        finish: async () => access.manager.applyExpiry(latest),
      }
    },
  }),

  reset: defineSandboxManagementOperation({
    path: `${PATH}/reset`,
    summary: 'Empties a sandbox or restores its original state.',
    description:
      'Replaces all objects and events in one step. API keys and secrets of the sandbox stay valid, pending deliveries end, and open streams get the message `sandbox.reset`. The sandbox `default` and expired sandboxes cannot be reset. The id `current` stands for the sandbox of the API key.',
    params: p.shape(
      { id: p.id('The id of the sandbox, or `current` for the sandbox of the API key.') },
      {
        to: p.choice(
          RESET_TARGETS,
          'The new contents: `empty`, or `origin` for a copy of `from` as it was when the sandbox was created (default: `origin`, which is empty without `from`).',
        ),
      },
    ),
    response: sandboxSchema,
    example: { to: 'empty' },
    cost: 'expensive',
    async prepare(access, { id, to = 'origin' }) {
      const sandbox = await loadOther(access, id, 'reset')
      requireActiveSandbox(sandbox, 'reset')
      const { manager } = access
      const counts = await manager.reset(sandbox, sandbox.from === null ? 'empty' : to)
      return {
        async decide(reader, wallNow) {
          const reset = markSandboxReset(await requireById(reader, 'sandboxes', sandbox.id), wallNow)
          return { changes: [reset], result: presentSandbox(reset.after, counts, manager) }
        },
      }
    },
  }),

  delete: defineSandboxManagementOperation({
    method: 'DELETE',
    path: PATH,
    summary: 'Deletes a sandbox and its contents.',
    description:
      'The keys of the sandbox stop working immediately, its deliveries and streams end, and its hosted pages return 404. Only a key of the default sandbox may delete a sandbox. The sandbox `default` cannot be deleted.',
    params: p.shape({ id: p.id('The id of the sandbox.') }),
    response: deletedSandboxSchema,
    async prepare(access, { id }) {
      requireSandboxAccess(access.manager.current, null)
      const sandbox = await loadOther(access, id, 'delete')
      await endSandbox(access, sandbox)
      return {
        async decide(reader) {
          const record = await requireById(reader, 'sandboxes', sandbox.id)
          return { changes: [toRemoval(record)], result: toDeletedObject(record) }
        },
      }
    },
  }),
}

/** Resolves with a sandbox. Rejects with `sandbox_key_not_allowed` if only keys of `default` have access. */
async function loadSandbox({ manager, registry }: ServerSandboxes, id: string): Promise<Sandbox> {
  const own = id === CURRENT ? manager.current : id
  requireSandboxAccess(manager.current, own)
  return own === DEFAULT_SANDBOX ? manager.defaultSandbox() : requireById(registry.store, 'sandboxes', own)
}

// A crash before the record is complete leaves an unfinished sandbox, which the next start removes. Contents in memory
// need no record, because they are lost with the process.
async function writeContents(
  access: ServerSandboxes,
  sandbox: Sandbox,
  secrets: Parameters<SandboxManager['prepare']>[1],
): Promise<SandboxCounts> {
  const { manager, registry } = access
  if (sandbox.storage === 'memory') return manager.prepare(sandbox, secrets)
  const writes = [{ put: toUnfinishedSandbox(sandbox) }]
  await registry.store.transact(async () => ({ result: null, writes, events: [] }))
  try {
    return await manager.prepare(sandbox, secrets)
  } catch (error) {
    await removeUnfinished(access, sandbox)
    throw error
  }
}

async function removeUnfinished({ registry }: ServerSandboxes, { id }: Sandbox): Promise<void> {
  await registry.store.transact(async (reader) => {
    const begun = await reader.get('sandboxes', id)
    const writes = begun !== null && isUnfinishedSandbox(begun) ? [{ remove: begun }] : []
    return { result: null, writes, events: [] }
  })
}

// A crash before the record is removed leaves an expired sandbox, whose files the next start removes.
async function endSandbox({ manager, registry }: ServerSandboxes, { id }: Sandbox): Promise<void> {
  const { result: ended } = await registry.store.transact(async (reader) => {
    const { after } = expireSandbox(await requireById(reader, 'sandboxes', id))
    return { result: after, writes: [{ put: after }], events: [] }
  })
  await manager.remove(ended)
}

/** Like `loadSandbox`, but rejects for the default sandbox. */
async function loadOther(access: ServerSandboxes, id: string, verb: string): Promise<Sandbox> {
  const sandbox = await loadSandbox(access, id)
  requireOtherThanDefault(sandbox.id, verb)
  return sandbox
}

async function countsOf(manager: SandboxManager, sandbox: Sandbox): Promise<SandboxCounts> {
  const counts = await findCounts(manager, sandbox)
  if (counts === null) throw createDamagedSandboxError(sandbox.id)
  return counts
}

const NO_RECORDS: SandboxCounts = { objects: 0, events: 0 }

async function findCounts(manager: SandboxManager, sandbox: Sandbox): Promise<SandboxCounts | null> {
  return sandbox.status === 'active' ? manager.countsOf(sandbox) : NO_RECORDS
}
