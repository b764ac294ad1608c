import type { ComponentChildren } from 'preact'
import type { RequestError } from '../data/api-client.ts'
import type { LoadState } from '../data/use-load.ts'
import { CopyText } from './copy-text.tsx'

interface PanelProps {
  readonly title: string
  /** The name of the region for assistive technology (default: the title). */
  readonly label?: string
  readonly children: ComponentChildren
}

/** Shows a section of a screen with its heading. */
export function Panel({ title, label = title, children }: PanelProps) {
  return (
    <section class="panel stack" aria-label={label}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface ErrorNoteProps {
  readonly error: Pick<RequestError, 'message'>
  readonly onRetry?: () => void
  /** The suggested fix of the error. */
  readonly hint?: string | null
}

/** Shows an error, with a button to try again if `onRetry` is given. */
export function ErrorNote({ error, onRetry, hint = null }: ErrorNoteProps) {
  return (
    <div class="note bad" role="alert">
      <p>{error.message}</p>
      {hint !== null && <p>{hint}</p>}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

interface EmptyStateProps {
  readonly title: string
  /** The command that fills the screen. */
  readonly command: string
  readonly children?: ComponentChildren
}

/** Replaces an empty list with a title, an explanation and the command that fills the list. */
export function EmptyState({ title, command, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
      <CopyText text={command} />
    </div>
  )
}

/** Shows that data is loading, or the error of the last read, with a button to try again if `reload` is given. */
export function LoadNote({ data, error = null, reload }: Partial<LoadState<unknown>>) {
  if (error !== null) return <ErrorNote error={error} {...(reload && { onRetry: reload })} />
  if (data !== null) return null
  return (
    <p class="quiet" role="status">
      Loading …
    </p>
  )
}
