import { useState } from 'preact/hooks'

interface MoreButtonProps {
  readonly label: string
  readonly hasMore: boolean
  readonly isBusy?: boolean
  readonly onClick: () => void
}

/** Shows a button that adds entries to a list. After the last entries, it stays until it loses the focus. */
export function MoreButton({ label, hasMore, isBusy = false, onClick }: MoreButtonProps) {
  const [hasFocus, setFocus] = useState(false)
  if (!hasMore && !hasFocus) return null
  const isDisabled = isBusy || !hasMore
  const handlers = { onFocus: () => setFocus(true), onBlur: () => setFocus(false) }
  return (
    <button type="button" aria-disabled={isDisabled} onClick={isDisabled ? undefined : onClick} {...handlers}>
      {hasMore ? label : 'No more'}
    </button>
  )
}
