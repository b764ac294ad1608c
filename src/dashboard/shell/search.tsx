import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { getObjectUrl, StatusBadge } from '../components/values.tsx'
import type { RequestError } from '../data/api-client.ts'
import type { SearchResult } from '../data/search-matching.ts'
import { useSearch } from '../data/search-objects.ts'
import { getFieldLabel } from '../format/differences.ts'
import { formatObjectHeadline, getObjectTypeName } from '../format/object-headline.ts'
import { navigate } from '../routing/router.ts'

const LIST_ID = 'search-results'

/** Shows the search field, which `/` and Ctrl-K focus: a combobox with the found objects. */
export function Search() {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const { data, error } = useSearch(isOpen ? text : '')
  const results = data ?? []
  useShortcut(() => field.current?.select())
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results have another first result.
  useEffect(() => setActive(0), [data])
  const close = () => setOpen(false)
  const open = (id: string | undefined) => {
    if (id === undefined) return
    setText('')
    // Otherwise the shortcut `/` would type a slash into the focused field.
    field.current?.blur()
    navigate(getObjectUrl(id))
  }
  const press = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const move = moves[event.key]
    if (event.key === 'Escape') {
      event.preventDefault()
      if (isOpen) close()
      else setText('')
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(results[active]?.object.id)
    } else if (move !== undefined) {
      event.preventDefault()
      setOpen(true)
      if (results.length > 0) setActive((active + move + results.length) % results.length)
    }
  }
  const isShown = isOpen && text.trim() !== ''
  return (
    <search class="search">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search for an id, an email address or an amount"
        aria-expanded={isShown}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-keyshortcuts="/ Control+K"
        {...(isShown && results.length > 0 ? { 'aria-activedescendant': optionId(active) } : {})}
        placeholder="Search id, email or amount ( / )"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setOpen(true)
        }}
        onKeyDown={press}
        onBlur={close}
      />
      {isShown && <Results note={describeSearch(text, data, error)} {...{ results, active }} onOpen={open} />}
    </search>
  )
}

interface ResultsProps {
  readonly note: string
  readonly results: readonly SearchResult[]
  readonly active: number
  readonly onOpen: (id: string) => void
}

function Results({ note, results, active, onOpen }: ResultsProps) {
  // The field keeps the focus while the user clicks a result.
  const keepFocus = (event: MouseEvent) => event.preventDefault()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field has the keyboard.
    <div class="panel search-popup" onMouseDown={keepFocus}>
      <p class="quiet small search-note" role="status">
        {note}
      </p>
      <div role="listbox" id={LIST_ID} aria-label="Objects that were found">
        {results.map(({ object, field }, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, see aria-activedescendant.
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field opens the result.
          <div
            key={object.id}
            id={optionId(at)}
            class="stack tight search-result"
            role="option"
            aria-selected={at === active}
            onClick={() => onOpen(object.id)}
          >
            <span class="row">
              <strong>{getObjectTypeName(object)}</strong>
              {typeof object['status'] === 'string' && <StatusBadge status={object['status']} />}
            </span>
            <bdi class="clip">{formatObjectHeadline(object)}</bdi>
            <span class="quiet">
              <code>{object.id}</code>
              {field !== '' && ` · ${getFieldLabel(field)}`}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

function describeSearch(
  text: string,
  found: readonly SearchResult[] | null,
  error: RequestError | null,
): string {
  if (error !== null) return error.message
  if (found === null) return 'Searching …'
  if (found.length > 0) return `${found.length} found. Enter opens a result, Escape closes the list.`
  return `Nothing found for “${text.trim()}”. Complete ids and email addresses are searched in all objects, other text only in the newest 100 objects of each type and in the live feed.`
}

function optionId(at: number): string {
  return `search-result-${at}`
}

function useShortcut(focus: () => void): void {
  const latest = useRef(focus)
  latest.current = focus
  // A normal effect would run one frame after the field is drawn, and lose keys that are pressed before that frame.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      const isShortcut =
        (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
      if (!isShortcut) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
