import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly render: (item: T) => ComponentChildren
}

/** Number of rendered rows above and below the visible rows, so that fast scrolling shows no gap. */
const MARGIN_ROWS = 8
/** The assumed height of a row in pixels before a row is measured. */
const ROW_HEIGHT = 36

/** Shows a list and renders only its visible rows, for thousands of items. The style sheet gives all rows one height. */
export function VirtualList<T extends { readonly key: string }>(props: VirtualListProps<T>) {
  const { label, items, render } = props
  const element = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600, rowHeight: ROW_HEIGHT })
  const { rowHeight } = view
  const newestKey = items[0]?.key ?? ''
  const lastNewest = useRef(newestKey)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () =>
      setView({
        ...{ top: current.scrollTop, height: current.clientHeight },
        rowHeight: current.querySelector('li')?.offsetHeight ?? ROW_HEIGHT,
      })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [])
  // After scrolling, the visible rows stay in view while new rows are added above them.
  useLayoutEffect(() => {
    const { current } = element
    const added = items.findIndex(({ key }) => key === lastNewest.current)
    lastNewest.current = newestKey
    if (current === null || added <= 0 || current.scrollTop === 0) return
    current.scrollTop += added * rowHeight
  })
  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN_ROWS)
  const end = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + MARGIN_ROWS)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <section class="panel virtual-list" ref={element} tabIndex={0} aria-label={label}>
      <ol style={{ height: `${items.length * rowHeight}px` }} aria-label={label}>
        {items.slice(first, end).map((item, at) => (
          <li
            key={item.key}
            style={{ top: `${(first + at) * rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={first + at + 1}
          >
            {render(item)}
          </li>
        ))}
      </ol>
    </section>
  )
}
