/** The id of the record with the secrets of a sandbox. */
export const SANDBOX_SECRETS_ID = 'sandbox'

/** Internal record: the secrets of a sandbox, created once with its store. */
export interface InternalSandboxSecrets {
  readonly id: typeof SANDBOX_SECRETS_ID
  readonly object: 'sandbox_secrets'
  /** Salt of card fingerprints. */
  readonly fingerprint_salt: string
  /** Key that signs form tokens. */
  readonly form_key: string
  /** Signing secret of forwarded webhooks. Absent in the default sandbox of a database that only one server can use. */
  readonly webhook_secret?: string
  /** The last reset of the sandbox, which other servers of the database detect by its `id`. */
  readonly reset?: {
    /** The unique id of the reset. */
    readonly id: string
    /** Sequence number of the newest event after the reset. */
    readonly sequence: number
  }
}
