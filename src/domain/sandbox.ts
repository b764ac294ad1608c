/** What a sandbox keeps secret for its whole life; private, made once when the database is new. */
export interface Sandbox {
  readonly id: 'sandbox'
  readonly object: 'sandbox'
  /** Salt of card fingerprints. */
  readonly fingerprint_salt: string
  /** Key that signs form tokens. */
  readonly form_key: string
  /** What services at one store sign forwarded webhooks with, all alike; a service that is alone has its own. */
  readonly webhook_secret?: string
}
