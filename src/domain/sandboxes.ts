import * as s from './schema.ts'

/** The id of the sandbox that always exists. */
export const DEFAULT_SANDBOX = 'default'

/** Where a sandbox keeps its records: `memory` ends with the process. */
export const SANDBOX_STORAGES = ['memory', 'durable'] as const

export type SandboxStorage = (typeof SANDBOX_STORAGES)[number]

/** The schema of a sandbox for the API. Its address and its counts are not stored. */
export const sandboxSchema = s.resourceObject(
  'sandbox',
  'An isolated environment of the server with its own objects, events, API keys, webhook endpoints and test clocks. Its times are in real time.',
  {
    name: s.nullable(s.text('Your own name for the sandbox; null if none was given.')),
    status: s.oneOf(
      ['active', 'expired'],
      'Whether the sandbox can be used. An expired one has no contents.',
    ),
    storage: s.oneOf(
      SANDBOX_STORAGES,
      '`memory`: its contents end with the server; `durable`: they are kept in the database of the server.',
    ),
    from: s.nullable(s.text('The sandbox or saved state that it was copied from; null if it began empty.')),
    expires_at: s.nullable(s.timestamp('When it is emptied and its keys stop working; null for never.')),
    reset_at: s.nullable(s.timestamp('When it was last reset; null if it never was.')),
    checkout_url: s.url('The address of its hosted pages.'),
    objects: s.integer(0, 'Number of its objects, without events.'),
    events: s.integer(0, 'Number of its events.'),
  },
)

/** A sandbox as the API shows it. */
export type SandboxView = s.ValueOf<typeof sandboxSchema>

/** The numbers of records of a sandbox. */
export type SandboxCounts = Pick<SandboxView, 'objects' | 'events'>

/** A sandbox as the default sandbox stores it. */
export type Sandbox = Omit<SandboxView, 'checkout_url' | keyof SandboxCounts>
