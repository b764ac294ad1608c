import type { Collections } from '../../src/store/port/collections.ts'

/** A sample record of each internal collection, without the resources of billing. */
export const PRIVATE_SAMPLES = {
  api_keys: {
    id: 'key_sample',
    object: 'api_key',
    created: 1_700_000_000,
    livemode: false,
    name: 'Default',
    kind: 'secret',
    last4: 'abcd',
    scopes: ['*'],
    status: 'active',
    expires_at: null,
    last_used_at: null,
  },
  api_key_digests: { id: 'digest_sample', object: 'api_key_digest', key: 'key_sample' },
  idempotency_keys: {
    id: 'idem_sample',
    object: 'idempotency_key',
    fingerprint: 'f1',
    used_at: 1_700_000_000,
    answer: { status: 200, body: '{"id":"cus_sample"}', is_sealed: false, request: 'req_sample' },
  },
  advances: {
    id: 'clock_sample',
    object: 'advance',
    request: { id: 'req_sample', idempotency_key: null },
    keyed: null,
  },
  traceless_declines: {
    id: 'cks_sample',
    object: 'traceless_declines',
    times: [1_700_000_000],
    noted_at: 1_700_000_000,
  },
  counters: { id: 'invoice_number', object: 'counter', value: 1 },
  sandboxes: {
    id: 'sbx_sample',
    object: 'sandbox',
    created: 1_700_000_000,
    livemode: false,
    name: 'Sample',
    status: 'active',
    storage: 'durable',
    from: null,
    expires_at: null,
    reset_at: null,
  },
  sandbox_secrets: { id: 'sandbox', object: 'sandbox_secrets', fingerprint_salt: 'salt', form_key: 'key' },
  retention_marks: { id: 'mark_1', object: 'retention_mark', at: 1_700_000_000, sequence: 1 },
} as const satisfies { readonly [C in keyof Collections]?: Collections[C] }
