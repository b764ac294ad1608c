import { useEffect, useRef, useState } from 'preact/hooks'
import { resourceOfId } from '../../api/resources/catalog.ts'
import { objectUrl } from '../components/links.tsx'
import { navigate } from '../routing/router.ts'

/** The search field, which `/` and Ctrl-K focus. */
export function Search() {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      const isShortcut =
        (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
      if (!isShortcut) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (resourceOfId(text.trim()) !== undefined) navigate(objectUrl(text.trim()))
  }
  return (
    <search class="search">
      <form onSubmit={submit}>
        <input
          ref={field}
          type="search"
          aria-label="Search for an id, an e-mail address or an amount"
          placeholder="Search ( / )"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}
