/** The addresses and secrets that a server prints as JSON when it is ready. */
export interface StartedServer {
  readonly pid: number
  readonly api_url: string
  /** The public address of the API; null without a configured public address. */
  readonly public_api_url: string | null
  readonly checkout_url: string
  readonly api_key: string
  readonly webhook_secret: string
  /** Path of the database, or its URL without the password; null for a database in memory. */
  readonly db: string | null
}
