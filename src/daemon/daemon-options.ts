import type { ServerBrand } from '../domain/branding/branding.ts'
import type { DunningPolicy } from '../domain/core/dunning.ts'
import type { SceneRunner } from './dashboard/dashboard.ts'
import type { DaemonLocation, PublishLocationOptions } from './locator.ts'
import type { LimitOptions } from './sandboxes/server-limits.ts'
import type { ForwardTarget } from './streams/forward-endpoints.ts'
import type { Clock } from './system/clock.ts'
import type { IdGenerators } from './system/ids.ts'
import type { Log } from './system/log.ts'

export interface DaemonOptions extends PublishLocationOptions {
  /** Path of the database file or URL of a PostgreSQL database; null for memory. */
  readonly db: string | null
  /** Whether to delete the contents of the database first. */
  readonly isReset?: boolean
  /** Ports of the API and the hosted pages; 0 selects a free port. */
  readonly port: number
  readonly checkoutPort: number
  /** The IP address to listen on (default: 127.0.0.1). */
  readonly host?: string
  /** Public URL of the API (default: its local address). */
  readonly apiUrl?: string
  /** Public URL of the hosted pages (default: their local address). */
  readonly checkoutUrl?: string
  /** Name, color and logo on hosted pages (default: the host of the session's `return_url`). */
  readonly brand?: ServerBrand
  /** API key that the server uses instead of the key of the home folder. */
  readonly apiKey?: string
  readonly forwardTo: readonly ForwardTarget[]
  /** Secret that signs forwarded deliveries (default: the secret of the home folder). */
  readonly webhookSecret?: string
  /** Whether webhooks may be sent to public addresses only, and the other networks that are allowed. */
  readonly targets?: { readonly isPublicOnly: boolean; readonly allowed: readonly string[] }
  /** Retry schedule of deliveries, such as `1s,5s,30s`; `none` disables retries. */
  readonly retries: string | 'default' | 'none'
  /** Retry schedule of failed invoices and the action after the last retry. */
  readonly dunning?: DunningPolicy
  /** Maximum requests per second of a sandbox; the maximum of all sandboxes is ten times as high (default: none). */
  readonly rateLimit?: number
  /** The limits of sandboxes. */
  readonly limits?: LimitOptions
  /** Whether client addresses are read from the `X-Forwarded-For` header of a proxy. */
  readonly isProxyTrusted?: boolean
  /** Whether unknown parameters are ignored instead of rejected. */
  readonly isLenient?: boolean
  /** Creates the scenes of the dashboard (default: the server has no dashboard). */
  readonly createScenes?: (location: DaemonLocation) => SceneRunner
  /** Whether the dashboard shows request and response bodies (default: true). */
  readonly keepsBodies?: boolean
  readonly log: Log
  /** Called with the progress while a database loads. */
  readonly onLoading?: (doneBytes: number, totalBytes: number) => void
  /** Called when the disk fails: the process must exit with an error code. */
  readonly onBroken?: () => void
  readonly pid: number
  /** The clock of the server (default: the clock of a shared database, otherwise the clock of the machine). */
  readonly clock?: Clock
  /** The clock of the machine; tests replace it with an inaccurate clock. */
  readonly machineClock?: Clock
  /** Generators of the default sandbox (default: random ids). */
  readonly ids?: IdGenerators
  /** Creates the generators of another sandbox; each copied sandbox has its own variant (default: random ids). */
  readonly newIds?: (variant: string) => IdGenerators
}
