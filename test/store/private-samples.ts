import type { Collections } from '../../src/store/collections.ts'

/** A record of each collection that no operation answers with as it is kept. */
export const PRIVATE_SAMPLES = {
  api_keys: {
    id: 'key_sample',
    object: 'api_key',
    created: 1_700_000_000,
    name: 'Default',
    kind: 'secret',
    last4: 'abcd',
    digest: 'd1',
    status: 'active',
    expires_at: null,
  },
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
  counters: { id: 'invoice_number', object: 'counter', value: 1 },
  sandboxes: { id: 'sandbox', object: 'sandbox', fingerprint_salt: 'salt', form_key: 'key' },
  retention_marks: { id: 'mark_1', object: 'retention_mark', at: 1_700_000_000, sequence: 1 },
} as const satisfies { readonly [C in keyof Collections]?: Collections[C] }
