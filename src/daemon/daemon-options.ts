import type { Dunning } from '../domain/dunning.ts'
import type { Clock } from './clock.ts'
import type { ForwardTarget } from './forwarding.ts'
import type { Ids } from './ids.ts'
import type { Place } from './locator.ts'
import type { Log } from './log.ts'

/** What a daemon is started with. */
export interface DaemonOptions {
  /** Folder for credentials and the locator file. */
  readonly home: string
  /** Whether a service answers at an address as a process, so that what it wrote down is still so. */
  readonly isServed: (place: Place) => Promise<boolean>
  /** Path of the database file, null for memory. */
  readonly db: string | null
  /** Whether to forget what the database holds and begin anew. */
  readonly isReset?: boolean
  /** Ports of the API and the hosted pages; 0 takes a free one. */
  readonly port: number
  readonly checkoutPort: number
  /** The IP address to listen on; 127.0.0.1 unless given. */
  readonly host?: string
  /** Where others reach the API, when that is not the local address. */
  readonly apiUrl?: string
  /** Where buyers reach the pages, when that is not the local address. */
  readonly checkoutUrl?: string
  /** Whom the pages name as the one who asks to be paid. */
  readonly businessName?: string
  /** A key to admit in place of the home folder's own. */
  readonly apiKey?: string
  readonly forwardTo: readonly ForwardTarget[]
  /** The secret that forwarding signs with in place of the home folder's own. */
  readonly webhookSecret?: string
  /** Whether webhooks go to public addresses only, but for the networks named. */
  readonly targets?: { readonly isPublicOnly: boolean; readonly allowed: readonly string[] }
  /** Waits between delivery attempts such as `1s,5s,30s`, or the default ones, or no second attempt. */
  readonly retries: string | 'default' | 'none'
  /** How failed invoices are tried again, and what follows the last time. */
  readonly dunning?: Dunning
  /** How many requests a key may make in a second; as many as it likes unless given. */
  readonly rateLimit?: number
  /** Whether a proxy stands before the pages, and the addresses that it names are those of visitors. */
  readonly isProxyTrusted?: boolean
  /** Whether parameters that are not known are ignored in place of refused. */
  readonly isLenient?: boolean
  readonly log: Log
  /** Hears how many bytes of how many of a database are loaded. */
  readonly onLoading?: (done: number, total: number) => void
  /** Called when the disk failed: the process should end, and not with 0. */
  readonly onBroken?: () => void
  readonly pid: number
  /** What tells this process from a later one of the same number; unset where the system does not say. */
  readonly processStart?: string | null
  /** The time of the service, as a frozen clock has it; the database's where processes share one, or else the machine's. */
  readonly clock?: Clock
  /** The machine's own clock; tests put one in its place that is wrong. */
  readonly machineClock?: Clock
  readonly ids?: Ids
}
