import { StartupError } from '../../domain/core/startup-error.ts'
import { createUnknownSandboxError } from '../../domain/sandboxes/api-keys.ts'
import type { InternalSandboxSecrets } from '../../domain/sandboxes/sandbox-secrets.ts'
import {
  createDamagedSandboxError,
  createExpiredSandboxError,
  DEFAULT_SANDBOX,
  type Sandbox,
} from '../../domain/sandboxes/sandboxes.ts'
import type { StoreContents } from '../../store/port/store.ts'
import type { IdGenerators } from '../system/ids.ts'
import type { MemoryMonitor } from './memory-monitor.ts'
import {
  type ClosedSandboxSummary,
  closeSandbox,
  closeSandboxStore,
  closeStreamsAfterRemoteReset,
  loadActiveSandbox,
  type OpenSandbox,
  openSandboxOfRecord,
  type SandboxDependencies,
  watchSandbox,
} from './open-sandbox.ts'
import { OpenSandboxLimiter } from './open-sandbox-limit.ts'

/** The states of a sandbox in this process. Every transition is a method of the registry. */
type SandboxState =
  | { readonly name: 'closed' }
  | { readonly name: 'opening'; readonly work: Promise<OpenSandbox | null> }
  | { readonly name: 'open'; readonly sandbox: OpenSandbox }
  /** The sandbox is being closed, reset or deleted. Requests and further state changes wait for `work`. */
  | { readonly name: 'locked'; readonly work: Promise<unknown> }

/** Time until the next attempt to open a sandbox with a due job after a failure. */
const RETRY_SECONDS = 60

const CLOSED: SandboxState = { name: 'closed' }

interface SandboxEntry {
  state: SandboxState
  /** The generators of ids, kept after the sandbox is closed, so that seeded ids never repeat; null before use. */
  ids: IdGenerators | null
  /** The last known expiry in Unix seconds. */
  expiresAt: number | null
  /** The summary from the last close while idle; null while the sandbox is open, and after any other change. */
  summary: ClosedSandboxSummary | null
  /** The initial contents of a copy in memory, which share their immutable records. */
  origin: StoreContents | null
}

/** The sandboxes that this process knows, and the transitions between their states. */
export class SandboxRegistry {
  readonly default: OpenSandbox
  readonly admission: OpenSandboxLimiter
  readonly memory: MemoryMonitor
  readonly #options: SandboxDependencies
  readonly #entries = new Map<string, SandboxEntry>()

  /** Creates a registry in which only the default sandbox is open. */
  constructor(options: SandboxDependencies) {
    this.default = options.main
    this.#options = options
    this.memory = options.shared.memory
    this.admission = new OpenSandboxLimiter(this, options)
    options.main.runtime.store.coordinator?.onChange(options.main.jobs.wake)
    this.#entryOf(DEFAULT_SANDBOX).state = { name: 'open', sandbox: options.main }
  }

  /** Returns an open sandbox; undefined if it is not open or its expiry has passed. */
  opened(id: string): OpenSandbox | undefined {
    const entry = this.#entries.get(id)
    return entry?.state.name === 'open' && !this.#hasExpired(entry) ? entry.state.sandbox : undefined
  }

  *allOpen(): Iterable<OpenSandbox> {
    for (const { state } of this.#entries.values()) if (state.name === 'open') yield state.sandbox
  }

  /** Returns the summary of a sandbox that was closed while idle, or undefined. */
  summaryOf(id: string): ClosedSandboxSummary | undefined {
    return this.#entries.get(id)?.summary ?? undefined
  }

  /** Opens a sandbox unless it is open. Throws a DomainError for an unknown, expired or damaged sandbox. */
  async find(id: string): Promise<OpenSandbox> {
    const { pages, runtime } = this.default
    const found = await this.findActive(id).catch((error: unknown) => {
      if (!(error instanceof StartupError)) throw error
      // Only the log names the file, because API clients must not see file names.
      pages.onError(error)
      throw createDamagedSandboxError(id)
    })
    if (found !== null) return found
    const record = await runtime.store.get('sandboxes', id)
    throw record === null ? createUnknownSandboxError() : createExpiredSandboxError(record)
  }

  /** Like `find`, but resolves with null for an unknown or expired sandbox, and throws the error of a damaged file. */
  async findActive(id: string): Promise<OpenSandbox | null> {
    let entry = this.#entryOf(id)
    for (; entry.state.name === 'locked'; entry = this.#entryOf(id)) await entry.state.work.catch(() => {})
    const { state } = entry
    if (state.name === 'opening') return state.work
    if (state.name !== 'open') return this.#startOpening(id, entry)
    if (!this.#hasExpired(entry)) return state.sandbox
    // Another process may have changed the expiry to a later time.
    const record = await loadActiveSandbox(this.default, id)
    if (record === null) return null
    this.setExpiry(record)
    return this.findActive(id)
  }

  /**
   * Closes a sandbox once its requests have ended, and runs `work`, which receives the closed sandbox, or null if it
   * was not open. New requests and further calls for the sandbox wait until `work` has finished. When `isAsleep` is
   * true, the summary of the sandbox is kept and stored.
   */
  whileClosed<T>(id: string, work: (closed: OpenSandbox | null) => Promise<T>, isAsleep = false): Promise<T> {
    const entry = this.#entryOf(id)
    const { state: before } = entry
    const run = async () => {
      const sandbox = await openIn(before)
      try {
        entry.summary = sandbox && (await closeSandbox(sandbox, isAsleep ? this.#options.database : null))
        return await work(sandbox)
      } catch (error) {
        // The next request opens the sandbox again, so its old streams would stay open without messages.
        sandbox?.streams.hub.close()
        throw error
      }
    }
    const locked = run().finally(() => this.#leave(id, state, CLOSED))
    const state: SandboxState = { name: 'locked', work: locked }
    entry.state = state
    return locked
  }

  /** Closes an idle sandbox until the next request or due job; does nothing unless the sandbox is open. */
  async sleep(id: string): Promise<void> {
    if (this.#entries.get(id)?.state.name !== 'open') return
    // The last request of the sandbox may have opened a stream.
    await this.whileClosed(id, async (closed) => closed?.streams.hub.close(), true)
  }

  /**
   * Opens the sandboxes that were closed while idle and whose next deadline is at or before `now`, in Unix seconds.
   * Their due jobs run in their first round.
   */
  openDue(now: number, onError: (error: unknown) => void): void {
    for (const [id, entry] of this.#entries) {
      const { wakesAt = null } = entry.summary ?? {}
      if (entry.state !== CLOSED || wakesAt === null || wakesAt > now || this.#hasExpired(entry)) continue
      this.findActive(id).then(
        (sandbox) => {
          // The sandbox is expired, or another process deleted it.
          if (sandbox === null) entry.summary = null
        },
        (error: unknown) => {
          if (entry.summary !== null) entry.summary = { ...entry.summary, wakesAt: now + RETRY_SECONDS }
          onError(error)
        },
      )
    }
  }

  /** Adds a new sandbox, with the initial contents of a copy in memory. Returns its generators of ids. */
  add(id: string, variant: string | null, origin: StoreContents | null): IdGenerators {
    const entry = this.#entryOf(id)
    entry.origin = origin
    entry.ids = this.#options.newIds(variant ?? '')
    return entry.ids
  }

  /** Returns the initial contents of a copy in memory; null for any other sandbox. */
  originOf(id: string): StoreContents | null {
    return this.#entries.get(id)?.origin ?? null
  }

  /** Returns a request id from the generators of a sandbox; for an unknown sandbox, from the default sandbox. */
  newRequestId(id: string): string {
    return (this.#entries.get(id)?.ids ?? this.default.runtime).newId('req_')
  }

  /** Stores the known expiry of a sandbox; must be called after each change of the sandbox's record. */
  setExpiry({ id, expires_at }: Pick<Sandbox, 'id' | 'expires_at'>): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined) entry.expiresAt = expires_at
  }

  /** Reads the summary that was stored when a sandbox was closed; resolves with false without a summary, as after a crash. */
  async loadSummary({ id, expires_at }: Sandbox): Promise<boolean> {
    const summary = (await this.#options.database.files?.readSummary(id)) ?? null
    if (summary === null) return false
    const entry = this.#entryOf(id)
    entry.expiresAt = expires_at
    if (entry.state === CLOSED) entry.summary = { ...summary, isDurable: true }
    return true
  }

  /** Deletes the summary of a sandbox that another process changed or deleted; null deletes all summaries. */
  deleteSummary(id: string | null): void {
    const changed = id === null ? this.#entries.values() : [this.#entries.get(id)]
    for (const entry of changed) if (entry !== undefined) entry.summary = null
  }

  /** Deletes the entry of a deleted sandbox. */
  deleteEntry(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    Object.assign(entry, { ids: null, expiresAt: null, summary: null, origin: null })
    if (entry.state === CLOSED) this.#entries.delete(id)
  }

  /** Returns the size of all sandboxes, and of the sandboxes in memory, as bytes of JSON. */
  countBytes(): { readonly total: number; readonly loaded: number } {
    let [loaded, stored] = [0, 0]
    for (const { state, summary } of this.#entries.values()) {
      if (state.name === 'open') loaded += state.sandbox.runtime.store.usage().bytes
      else if (summary?.isDurable) stored += summary.bytes
      else loaded += summary?.bytes ?? 0
    }
    return { loaded, total: loaded + stored }
  }

  /** Stops the jobs of all sandboxes, and closes the stores of all sandboxes except the default sandbox. */
  async close(): Promise<void> {
    const { database, main } = this.#options
    const states = Array.from(this.#entries.values(), ({ state }) => state)
    await Promise.allSettled(states.map((state) => 'work' in state && state.work))
    const all = [...this.allOpen()]
    await Promise.all(all.map(({ jobs }) => jobs.stop()))
    const close = (one: OpenSandbox) =>
      database.files && one.isDurable ? closeSandboxStore(one, database) : one.runtime.store.close()
    await Promise.all(all.filter((one) => one !== main).map(close))
  }

  #entryOf(id: string): SandboxEntry {
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    const entry = { state: CLOSED, ids: null, expiresAt: null, summary: null, origin: null }
    this.#entries.set(id, entry)
    return entry
  }

  // After a jump of the clock, the due job that marks a sandbox as expired runs later.
  #hasExpired({ expiresAt }: SandboxEntry): boolean {
    return expiresAt !== null && expiresAt <= this.default.runtime.wallNow()
  }

  #startOpening(id: string, entry: SandboxEntry): Promise<OpenSandbox | null> {
    const work = this.#open(id, entry)
    const state: SandboxState = { name: 'opening', work }
    entry.state = state
    const leave = (sandbox: OpenSandbox | null) =>
      this.#leave(id, state, sandbox === null ? CLOSED : { name: 'open', sandbox })
    work.then(leave, () => leave(null))
    return work
  }

  /** Ends a temporary state, unless another operation has already replaced it. */
  #leave(id: string, from: SandboxState, to: SandboxState): void {
    const entry = this.#entries.get(id)
    if (entry?.state !== from) return
    entry.state = to
    if (to.name === 'open') entry.summary = null
    // A request may name an unknown sandbox, whose entry must not stay in memory.
    else if (entry.ids === null && entry.summary === null) this.#entries.delete(id)
  }

  async #open(id: string, entry: SandboxEntry): Promise<OpenSandbox | null> {
    const record = await loadActiveSandbox(this.default, id)
    if (record === null) return null
    entry.expiresAt = record.expires_at
    entry.ids ??= this.#options.newIds('')
    const { ids } = entry
    const sandbox = await this.admission.open(record, () => openSandboxOfRecord(record, ids, this.#options))
    if (sandbox === null) return null
    watchSandbox(sandbox, (secrets) => this.#endElsewhere(sandbox, secrets))
    sandbox.jobs.start()
    return sandbox
  }

  /** Closes a sandbox that another process reset, or deleted when `secrets` is null, and ends its streams. */
  #endElsewhere(sandbox: OpenSandbox, secrets: InternalSandboxSecrets | null): void {
    const { id } = sandbox
    const state = this.#entries.get(id)?.state
    if (state?.name !== 'open' || state.sandbox !== sandbox) return
    const { onError } = this.default.pages
    this.whileClosed(id, async () => closeStreamsAfterRemoteReset(sandbox, secrets)).catch(onError)
    if (secrets === null) this.deleteEntry(id)
  }
}

/** Resolves with the sandbox that is open after a temporary state has ended, or null. */
async function openIn(state: SandboxState): Promise<OpenSandbox | null> {
  if (state.name === 'open') return state.sandbox
  if (state.name === 'opening') return state.work.catch(() => null)
  if (state.name === 'locked') await state.work.catch(() => {})
  return null
}
