/** Internal record: the secrets of a sandbox, created once with the database. */
export interface Sandbox {
  readonly id: 'sandbox'
  readonly object: 'sandbox'
  /** Salt of card fingerprints. */
  readonly fingerprint_salt: string
  /** Key that signs form tokens. */
  readonly form_key: string
  /** Signing secret of forwarded webhooks, shared by all servers of one store. A single server has its own. */
  readonly webhook_secret?: string
}
